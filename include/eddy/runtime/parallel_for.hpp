#pragma once

#include <eddy/runtime/detail/parallel_call.hpp>
#include <eddy/runtime/detail/pool_call.hpp>
#include <eddy/runtime/work_kind.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// Calls a function with indices, or with the first and the end of a chunk.
template <class Function>
class counted_loop final : public parallel_call {
public:
    counted_loop(std::size_t count, std::size_t grain, Function&& function)
        : parallel_call(count, grain), function_(std::move(function)) {}

    void take() const { rethrow_error(); }

private:
    ~counted_loop() override = default;
    void run_chunk(std::size_t first, std::size_t end) override {
        const Function& function = function_;
        if constexpr (std::invocable<const Function&, std::size_t, std::size_t>) {
            function(first, end);
        } else {
            for (std::size_t index = first; index != end; ++index)
                function(index);
        }
    }

    Function function_;
};

/// Calls a function with the elements of a range, and returns the range.
template <class Range, class Function>
class range_loop final : public parallel_call {
public:
    range_loop(Range&& range, std::size_t grain, Function&& function)
        : parallel_call(static_cast<std::size_t>(std::ranges::size(range)), grain),
          range_(std::move(range)),
          function_(std::move(function)) {}

    Range take() {
        rethrow_error();
        return std::move(range_);
    }

private:
    ~range_loop() override = default;
    void run_chunk(std::size_t first, std::size_t end) override {
        using difference = std::ranges::range_difference_t<Range>;
        const auto begin = std::ranges::begin(range_);
        const Function& function = function_;
        for (std::size_t index = first; index != end; ++index)
            function(begin[static_cast<difference>(index)]);
    }

    Range range_;
    Function function_;
};

/// A function, an rvalue or copied, that is called with an index or with two bounds.
template <class Function, class Stored = std::remove_cvref_t<Function>>
concept counted_body =
    std::constructible_from<Stored, Function> && std::move_constructible<Stored> &&
    (std::invocable<const Stored&, std::size_t> || std::invocable<const Stored&, std::size_t, std::size_t>);

/// A range that is moved along, or a view: never one that would be copied by mistake.
template <class Range, class Stored = std::remove_cvref_t<Range>>
concept handed_range =
    (std::ranges::view<Stored> || !std::is_lvalue_reference_v<Range>) && std::move_constructible<Stored> &&
    std::ranges::random_access_range<Stored> && std::ranges::sized_range<Stored>;

template <class Function, class Range>
concept element_body = std::invocable<const std::remove_cvref_t<Function>&,
                                      std::ranges::range_reference_t<std::remove_cvref_t<Range>>>;

}  // namespace detail

/// `co_await parallel_for(kind, count, grain, function)` calls function(index) for every index below `count`,
/// or, if it takes two, function(first, end) for chunks of them, on threads of the runtime's offload pool, in
/// no order and several at once, and returns nothing.
///
/// `grain`: how many indices make a chunk, the last of which may be smaller. A chunk is what a thread takes
/// at a time: some microseconds of work hide what taking it costs. 0 makes eight chunks for each thread.
/// Between two chunks a thread lets other calls run first, so with short_running, the default, all threads
/// may take part and other calls wait for a chunk at most. Where one chunk takes longer than some
/// milliseconds, use long_running, which leaves threads to short calls.
///
/// - Ownership: the function is moved to the pool, where it is one object that all threads call (as const, so
///   what it changes is elsewhere and not shared, or made for sharing). It owns what it uses, or what it
///   refers to outlives every chunk that has begun, dropped or not: the await may be destroyed before they
///   end.
/// - Cancellation: dropping the await never waits. Chunks that have not begun are not made; those that
///   have run to their end, and the function is freed after them, on this worker.
/// - Errors: the first exception of a chunk is thrown once all that had begun have ended; the rest of that
///   chunk and chunks that had not begun are not made. Otherwise as for offload().
/// - Back-pressure: a loop needs the room of one call.
/// - Cost: two allocations, however many chunks.
/// - With g++ 12 a lambda that captures by value must not be written inside the co_await expression: give it
///   a name and move it in.
///
/// Requires: awaited on a worker of a runtime.
template <detail::counted_body Function>
[[nodiscard]] auto parallel_for(work_kind kind, std::size_t count, std::size_t grain, Function&& function) {
    using stored = std::remove_cvref_t<Function>;
    using loop = detail::counted_loop<stored>;
    return detail::pool_call_awaiter<loop>(new loop(count, grain, stored(std::forward<Function>(function))),
                                           kind);
}
template <detail::counted_body Function>
[[nodiscard]] auto parallel_for(std::size_t count, std::size_t grain, Function&& function) {
    return parallel_for(work_kind::short_running, count, grain, std::forward<Function>(function));
}

/// The same over the elements of a range, function(element), which returns the range: the elements are moved
/// along and belong to the loop, which makes dropping it safe. A view (for example a std::span) moves only
/// itself: what it refers to outlives every chunk that has begun, dropped or not.
template <detail::handed_range Range, detail::element_body<Range> Function>
[[nodiscard]] auto parallel_for(work_kind kind, Range&& range, std::size_t grain, Function&& function) {
    using stored_range = std::remove_cvref_t<Range>;
    using stored = std::remove_cvref_t<Function>;
    using loop = detail::range_loop<stored_range, stored>;
    return detail::pool_call_awaiter<loop>(
        new loop(stored_range(std::forward<Range>(range)), grain, stored(std::forward<Function>(function))),
        kind);
}
template <detail::handed_range Range, detail::element_body<Range> Function>
[[nodiscard]] auto parallel_for(Range&& range, std::size_t grain, Function&& function) {
    return parallel_for(work_kind::short_running, std::forward<Range>(range), grain,
                        std::forward<Function>(function));
}

}  // namespace eddy
