#pragma once

namespace eddy::io {

/// A piece of blocking work, owned by whoever posts it, who keeps it until it has run or was retracted.
struct blocking_item {
    using run_function = void (*)(blocking_item&) noexcept;
    explicit blocking_item(run_function work) noexcept : run(work) {}

    run_function run;
    blocking_item* next = nullptr;
    blocking_item* previous = nullptr;
};

/// Threads on which backends do what their system can only do by blocking. Thread-safe.
class blocking_executor {
public:
    virtual ~blocking_executor() = default;

    /// Runs the item once on one of the threads, in the order of posting as threads become free.
    virtual void post(blocking_item& item) noexcept = 0;

    /// Takes an item back. False if it has begun to run or has run.
    [[nodiscard]] virtual bool retract(blocking_item& item) noexcept = 0;
};

}  // namespace eddy::io
