#include "explore/search.hpp"

#include <algorithm>
#include <bit>

namespace eddy::explore {

namespace {

constexpr thread_mask only(unsigned thread) noexcept {
    return thread_mask{1} << thread;
}

void join(auto& into, const auto& other) noexcept {
    for (std::size_t at = 0; at < into.size(); ++at)
        into[at] = std::max(into[at], other[at]);
}

}  // namespace

void search::begin_run() {
    step_ = 0;
    last_ = 0;
    is_redundant_ = false;
    clocks_ = {};
    events_.clear();
    objects_.clear();
}

unsigned search::choose(const situation& now) {
    if (is_redundant_)
        return last_ = prefer(now.enabled);
    note_last_step();
    if (step_ == nodes_.size()) {
        if (is_reduced_)
            find_races(now);
        node& here = add_node(now);
        const thread_mask candidates = now.enabled & ~here.sleeping;
        if (candidates == 0) {
            nodes_.pop_back();
            is_redundant_ = true;
            return last_ = prefer(now.enabled);
        }
        here.chosen = prefer(candidates);
        here.wanted = is_reduced_ ? only(here.chosen) : affordable(here);
    }
    const node& here = nodes_[step_];
    const operation& expected = here.at.next[here.chosen];
    const operation& found = now.next[here.chosen];
    if (here.at.enabled != now.enabled || expected.what != found.what || expected.object != found.object)
        has_diverged_ = true;
    ++step_;
    made_ = found;
    return last_ = here.chosen;
}

void search::soften() noexcept {
    if (is_redundant_)
        return;
    made_.is_write = false;
    nodes_[step_ - 1].at.next[last_].is_write = false;
}

bool search::advance() {
    while (!nodes_.empty()) {
        node& last = nodes_.back();
        last.done |= only(last.chosen);
        if (const thread_mask left = last.wanted & ~last.done & ~last.sleeping) {
            last.chosen = static_cast<unsigned>(std::countr_zero(left));
            return true;
        }
        nodes_.pop_back();
    }
    return false;
}

search::node& search::add_node(const situation& now) {
    node added;
    added.at = now;
    if (!nodes_.empty()) {
        const node& before = nodes_.back();
        added.sleeping = is_reduced_ ? sleeping_after(before) : 0;
        const bool is_preempted = step_ > 1 && before.chosen != nodes_[step_ - 2].chosen &&
                                  (before.at.enabled & only(nodes_[step_ - 2].chosen)) != 0;
        added.preemptions = before.preemptions + (is_preempted ? 1 : 0);
    }
    return nodes_.emplace_back(added);
}

thread_mask search::sleeping_after(const node& before) const noexcept {
    thread_mask sleeping = 0;
    for (unsigned thread = 0; thread < threads_; ++thread) {
        const bool was_seen = ((before.sleeping | before.done) & only(thread)) != 0;
        if (was_seen && thread != before.chosen &&
            !before.at.next[thread].depends_on(before.at.next[before.chosen]))
            sleeping |= only(thread);
    }
    return sleeping;
}

// Taking the turn from a thread that could go on is a preemption.
thread_mask search::affordable(const node& here) const noexcept {
    const thread_mask going_on = step_ == 0 ? 0 : here.at.enabled & only(last_);
    if (preemptions_max_ < 0 || here.preemptions < preemptions_max_ || going_on == 0)
        return here.at.enabled;
    return going_on;
}

template <class Visitor>
void search::for_each_access(const operation& step, Visitor visit) {
    if (step.object != no_object)
        visit(history_of(step.object), step.is_write);
    for (const std::uint32_t watched : step.watched)
        visit(history_of(watched), false);
}

search::clock search::clock_of_next(unsigned thread, const operation& next) {
    clock happened = clocks_[thread];
    for_each_access(next, [&](const object_history& history, bool is_write) {
        join(happened, is_write ? history.accesses : history.write);
    });
    return happened;
}

void search::note_last_step() {
    if (!is_reduced_ || step_ == 0)
        return;
    clock& mine = clocks_[last_];
    mine = clock_of_next(last_, made_);
    mine[last_] = static_cast<std::uint32_t>(step_);
    events_.push_back({last_, mine});
    for_each_access(made_, [&](object_history& history, bool is_write) {
        join(history.accesses, mine);
        history.last_access[last_] = mine[last_];
        if (is_write) {
            history.write = mine;
            history.last_write[last_] = mine[last_];
        }
    });
}

// What a thread would do next races with a step of another one if it depends on it and the step has not
// happened before.
void search::find_races(const situation& now) {
    for (unsigned thread = 0; thread < threads_; ++thread) {
        if ((now.alive & only(thread)) == 0)
            continue;
        const operation& next = now.next[thread];
        const clock happened = clock_of_next(thread, next);
        for_each_access(next, [&](const object_history& history, bool is_write) {
            const clock& others = is_write ? history.last_access : history.last_write;
            for (unsigned other = 0; other < threads_; ++other)
                if (other != thread && others[other] > clocks_[thread][other])
                    turn_round(others[other], thread, happened);
        });
    }
}

// Sees to it that the thread's next step comes before `first`, a step counted from 1. What stands between
// them and does not follow from `first` can come before it too. Of the threads of those steps, each that can
// begin leads there.
void search::turn_round(std::size_t first, unsigned thread, const clock& next) {
    const unsigned turned = events_[first - 1].thread;
    thread_mask beginners = 0;
    clock begun{};  // the first of those steps of each thread
    const auto add = [&](unsigned added, const clock& happened, std::size_t at) {
        if (begun[added] != 0)
            return;
        bool can_begin = true;
        for (unsigned other = 0; other < threads_; ++other)
            can_begin = can_begin && (other == added || begun[other] == 0 || happened[other] < begun[other]);
        begun[added] = static_cast<std::uint32_t>(at);
        if (can_begin)
            beginners |= only(added);
    };
    for (std::size_t at = first + 1; at <= events_.size(); ++at)
        if (const event& between = events_[at - 1]; between.happened[turned] < first)
            add(between.thread, between.happened, at);
    add(thread, next, events_.size() + 1);
    node& before = nodes_[first - 1];
    beginners &= before.at.enabled;  // a thread that waits for `first` cannot come before it
    if ((before.wanted & beginners) == 0 && beginners != 0)
        before.wanted |= only(static_cast<unsigned>(std::countr_zero(beginners)));
}

// The thread that ran last goes on, so that schedules are easy to read.
unsigned search::prefer(thread_mask candidates) const noexcept {
    return (candidates & only(last_)) != 0 ? last_ : static_cast<unsigned>(std::countr_zero(candidates));
}

search::object_history& search::history_of(std::uint32_t object) {
    if (object >= objects_.size())
        objects_.resize(object + std::size_t{1});
    return objects_[object];
}

}  // namespace eddy::explore
