#pragma once

#include "explore/operation.hpp"

#include <cstdint>
#include <source_location>

namespace eddy::explore {

/// What an explored atomic tells the explorer. Outside of a run these do nothing.
class atomic_hooks {
public:
    atomic_hooks(const atomic_hooks&) = delete;
    atomic_hooks& operator=(const atomic_hooks&) = delete;

protected:
    constexpr explicit atomic_hooks(const char* type) noexcept : type_(type) {
        if consteval {
        } else {
            born();
        }
    }
    constexpr ~atomic_hooks() {
        if consteval {
        } else {
            dies();
        }
    }

    /// Waits until it is this thread's turn.
    void before(action what, bool is_write, const std::source_location& where) const;
    /// Reports what it did.
    void after(std::uint64_t seen, std::uint64_t left, bool is_changed) const;
    /// Lets this thread sleep until it is notified.
    void sleep(const std::source_location& where) const;
    void notify(bool all, const std::source_location& where) const;

private:
    void born() noexcept;
    void dies() noexcept;

    const char* type_;
    mutable std::uint64_t run_ = 0;  // in which it was made
    mutable std::uint32_t index_ = no_object;
};

/// What relax() does: waits until another thread has changed something that this one has read since the last
/// time.
void wait_for_change(const std::source_location& where);

}  // namespace eddy::explore
