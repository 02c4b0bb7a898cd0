#pragma once

#include <eddy/detail/build.hpp>

namespace eddy::detail {

/// A message to a worker, placed where it stays until it has run.
struct inbox_item {
    /// Runs on the receiving worker, outside of any task. `is_discarded`: the worker has ended; only free
    /// what the message owns.
    using run_function = void (*)(inbox_item& item, bool is_discarded) noexcept;

    explicit constexpr inbox_item(run_function received) noexcept : run(received) {}

    run_function run;
    inbox_item* next = nullptr;
    inbox_item* previous = nullptr;  // the receiver's
};

}  // namespace eddy::detail
