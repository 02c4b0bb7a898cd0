#pragma once

#include <eddy/core/clock.hpp>

#include <cstdint>

namespace eddy::io {

/// A piece of blocking work, owned by the caller of post(), which keeps it until it has run or was retracted.
struct blocking_item {
    using run_function = void (*)(blocking_item&) noexcept;
    explicit blocking_item(run_function work) noexcept : run(work) {}

    run_function run;

    // The executor's, from the posting on: where it waits, and how.
    blocking_item* next = nullptr;
    blocking_item* previous = nullptr;
    time_point posted_at{};
    std::uint32_t queue = 0;
    bool is_own = false;
    bool is_bounded = false;
    bool waits_for_capacity = false;
};

/// Threads on which backends do what their system can only do by blocking. Thread-safe.
class blocking_executor {
public:
    virtual ~blocking_executor() = default;

    /// Runs the item once on one of the threads, the oldest first as threads become free. Never refuses:
    /// where no thread can be started at all, the caller runs it.
    virtual void post(blocking_item& item) noexcept = 0;

    /// Takes an item back. False if it has begun to run or has run. Requires: it was posted, and is not
    /// retracted twice at once.
    [[nodiscard]] virtual bool retract(blocking_item& item) noexcept = 0;
};

}  // namespace eddy::io
