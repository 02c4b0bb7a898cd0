#pragma once

#include "tasks/works.hpp"

#include <cstddef>
#include <vector>

namespace bench {

// What the parents of a fan-out wait for, by the numbers of their connections.
class raw_parents {
public:
    raw_parents(const fan_out_work& work, const alarm_clock& alarm)
        : work_(work), alarm_(alarm), parents_(work.parents, state(work.per_parent())) {}

    // A sub-request has ended. With the last one of its parent, and if the time is not over, begins those of
    // the next round: calls `start` with the number of each connection.
    template <class Start>
    void arrive(std::size_t connection, Start start) {
        const std::size_t number = connection / work_.per_parent();
        state& parent = parents_[number];
        if (--parent.left != 0)
            return;
        laps_.note(parent.begun);
        if (alarm_.has_rung()) {
            --running_;
            return;
        }
        parent.left = work_.per_parent();
        for (std::size_t at = 0; at < work_.per_parent(); ++at)
            start(number * work_.per_parent() + at);
    }
    bool are_running() const { return running_ != 0; }
    sample stop(const stopwatch& watch) const { return laps_.stop(watch); }

private:
    struct state {
        explicit state(std::size_t children) : left(children) {}

        std::size_t left;
        lap_times::clock::time_point begun = lap_times::clock::now();
    };

    const fan_out_work& work_;
    const alarm_clock& alarm_;
    std::vector<state> parents_;
    std::size_t running_ = work_.parents;
    lap_times laps_;
};

}  // namespace bench
