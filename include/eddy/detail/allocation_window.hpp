#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy::detail {

/// A stretch of one thread's time in which its allocations are counted and one of them fails. For tools that
/// test what happens when memory is exhausted; closed everywhere else, where a check costs one look at a
/// thread-local flag.
///
/// Allocating code calls must_fail(): the slow path of the frame cache, and the global operator new of a
/// program that includes <eddy/testing/replace_new.hpp>.
///
/// Thread safety: each thread has its own.
class allocation_window {
public:
    /// Opens it: the allocation with that number, from 1, fails; none for 0.
    static void open(std::uint64_t failing) noexcept { state_ = {true, 0, failing}; }
    /// Closes it. Its counts remain until it is opened again.
    static void close() noexcept { state_.is_open = false; }

    /// Counts an allocation; true if it is to fail.
    [[nodiscard]] static bool must_fail() noexcept {
        return state_.is_open && ++state_.made == state_.failing;
    }

    /// Whether an allocation has been failed since it was opened.
    [[nodiscard]] static bool has_failed() noexcept {
        return state_.failing != 0 && state_.made >= state_.failing;
    }

    /// Records that the global operator new calls must_fail(), so that its callers need not.
    static bool note_replaced_new() noexcept { return is_new_replaced_ = true; }
    [[nodiscard]] static bool is_new_replaced() noexcept { return is_new_replaced_; }

private:
    struct state {
        bool is_open = false;
        std::uint64_t made = 0;
        std::uint64_t failing = 0;
    };
    static constinit thread_local state state_;
    static constinit bool is_new_replaced_;  // set before main() only
};

}  // namespace eddy::detail
