#pragma once

#include <eddy/core/detail/suspension.hpp>

namespace eddy::detail {

/// Awaits an awaiter where it stands. g++ 12 would copy, into the coroutine's frame, an awaiter that
/// await_transform returns as an lvalue, and move one that it returns as an rvalue reference.
template <class Awaiter>
class awaiter_reference {
public:
    explicit awaiter_reference(Awaiter& awaiter) noexcept : awaiter_(awaiter) {}

    bool await_ready() { return awaiter_.await_ready(); }
    decltype(auto) await_suspend(suspension point) { return awaiter_.await_suspend(point); }
    decltype(auto) await_resume() { return awaiter_.await_resume(); }

private:
    Awaiter& awaiter_;
};

}  // namespace eddy::detail
