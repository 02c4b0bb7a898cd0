#pragma once

#include "explore/operation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace eddy::explore {

constexpr unsigned threads_max = 4;

/// A set of threads.
using thread_mask = std::uint32_t;

/// Where a run stands: what each thread would do next, and which of them could.
struct situation {
    thread_mask enabled = 0;
    thread_mask alive = 0;
    std::array<operation, threads_max> next;
};

/// Chooses the schedules of all runs: a depth-first search which repeats the choices of the run before up to
/// the last place that has another one left.
///
/// Reduced, it leaves out schedules that differ only in the order of steps that do not depend on each other:
/// dynamic partial-order reduction by source sets, with sleep sets (Abdulla, Aronis, Jonsson and Sagonas
/// 2014). Where a race is seen, it goes back to let a thread run from which on the race comes out the other
/// way round. Steps depend on each other if they act on one atomic and one of them changes it; waiting for a
/// change reads all that is watched.
class search {
public:
    search(unsigned threads, bool is_reduced, int preemptions_max)
        : threads_(threads), is_reduced_(is_reduced), preemptions_max_(preemptions_max) {}

    void begin_run();
    /// Which thread makes the next step. Requires: one can.
    [[nodiscard]] unsigned choose(const situation& now);
    /// Says that the step just made has changed nothing, which makes a read of it.
    void soften() noexcept;
    /// After a run: false if there is no other schedule.
    [[nodiscard]] bool advance();

    /// Whether all that this run may still do has been seen already, so it just ends somehow.
    [[nodiscard]] bool is_redundant() const noexcept { return is_redundant_; }
    /// Whether a run did something else than before under the same schedule.
    [[nodiscard]] bool has_diverged() const noexcept { return has_diverged_; }

private:
    struct node {
        situation at;
        thread_mask sleeping = 0;  // seen already, and nothing that matters to them has happened since
        thread_mask wanted = 0;
        thread_mask done = 0;
        unsigned chosen = 0;
        int preemptions = 0;  // before the choice
    };
    // For each thread its last step that happened before, counted from 1.
    using clock = std::array<std::uint32_t, threads_max>;
    struct event {
        unsigned thread;
        clock happened;
    };
    struct object_history {
        clock accesses{};  // joined over all accesses, and over the last write
        clock write{};
        clock last_access{};  // of each thread
        clock last_write{};
    };

    node& add_node(const situation& now);
    [[nodiscard]] thread_mask sleeping_after(const node& before) const noexcept;
    [[nodiscard]] thread_mask affordable(const node& here) const noexcept;
    void note_last_step();
    void find_races(const situation& now);
    void turn_round(std::size_t first, unsigned thread, const clock& next);
    [[nodiscard]] clock clock_of_next(unsigned thread, const operation& next);
    template <class Visitor>
    void for_each_access(const operation& step, Visitor visit);
    [[nodiscard]] unsigned prefer(thread_mask candidates) const noexcept;
    object_history& history_of(std::uint32_t object);

    unsigned threads_;
    bool is_reduced_;
    int preemptions_max_;
    std::vector<node> nodes_;
    // Of the current run:
    std::size_t step_ = 0;
    unsigned last_ = 0;
    operation made_;  // by last_
    bool is_redundant_ = false;
    bool has_diverged_ = false;
    std::array<clock, threads_max> clocks_{};
    std::vector<event> events_;
    std::vector<object_history> objects_;
};

}  // namespace eddy::explore
