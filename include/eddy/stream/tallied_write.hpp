#pragma once

#include <eddy/core/interruptible.hpp>
#include <eddy/core/suspension.hpp>

#include <cstddef>
#include <utility>

namespace eddy::detail {

/// Awaits a write of some bytes and tells a function how many were written, even if it is dropped. A write
/// that cannot say that when it is dropped is told as dropped(). Tally has
///
///     void wrote(std::size_t count) noexcept;
///     void dropped() noexcept;
template <class Operation, class Tally>
class tallied_write {
public:
    tallied_write(Operation operation, Tally& tally) noexcept
        : operation_(std::move(operation)), tally_(tally) {}
    tallied_write(const tallied_write&) = delete;
    tallied_write& operator=(const tallied_write&) = delete;
    ~tallied_write() {
        if (is_under_way_)
            account_for_drop();
    }

    bool await_ready() {
        const bool is_over = operation_.await_ready();
        is_under_way_ = true;
        return is_over;
    }
    decltype(auto) await_suspend(suspension point) { return operation_.await_suspend(point); }
    void await_resume() {
        // An error says that nothing was written.
        is_under_way_ = false;
        tally_.wrote(operation_.await_resume());
    }

private:
    void account_for_drop() noexcept {
        if constexpr (interruptible<Operation>) {
            if (can_be_interrupted(operation_))
                return account_for_interruption();
        }
        tally_.dropped();
    }
    void account_for_interruption() noexcept {
        if (operation_.is_pending())
            operation_.interrupt();
        if (const auto count = operation_.outcome())
            tally_.wrote(*count);
    }

    Operation operation_;
    Tally& tally_;
    bool is_under_way_ = false;
};

}  // namespace eddy::detail
