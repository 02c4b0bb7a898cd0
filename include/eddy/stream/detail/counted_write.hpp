#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/interruptible.hpp>

#include <cstddef>
#include <utility>

namespace eddy::detail {

/// Awaits a write of some bytes and reports to a Tally how many were written, even if it is dropped. A write
/// that does not know that when it is dropped is reported as dropped(). Tally has
///
///     void wrote(std::size_t count) noexcept;
///     void dropped() noexcept;
template <class Operation, class Tally>
class counted_write {
public:
    counted_write(Operation operation, Tally& counter) noexcept
        : operation_(std::move(operation)), counter_(counter) {}
    counted_write(const counted_write&) = delete;
    counted_write& operator=(const counted_write&) = delete;
    ~counted_write() {
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
        counter_.wrote(operation_.await_resume());
    }

private:
    void account_for_drop() noexcept {
        if constexpr (interruptible<Operation>) {
            if (can_be_interrupted(operation_))
                return account_for_interruption();
        }
        counter_.dropped();
    }
    void account_for_interruption() noexcept {
        if (operation_.is_pending())
            operation_.interrupt();
        if (const auto count = operation_.outcome())
            counter_.wrote(*count);
    }

    Operation operation_;
    Tally& counter_;
    bool is_under_way_ = false;
};

}  // namespace eddy::detail
