#pragma once

#include <eddy/core/task.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/mutex.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::redis::detail {

/// Gathers what is to be sent, so that commands of one turn leave in one write. A task of its owner's writes.
class command_writer {
public:
    command_writer(any_stream& stream, std::size_t bytes_max) noexcept
        : stream_(stream), bytes_max_(bytes_max) {}

    /// Waits for room and for earlier tasks. While the guard is held no other task adds commands.
    task<mutex_guard> turn();
    /// A turn if one is free now, otherwise none.
    [[nodiscard]] mutex_guard try_turn() noexcept {
        return gathered_.size() <= bytes_max_ ? turns_.try_lock() : mutex_guard();
    }
    /// Makes room for so many bytes more, which add() then takes without an allocation. Throws
    /// std::bad_alloc, and nothing has happened then.
    void make_room(std::size_t bytes) {
        const std::size_t needed = gathered_.size() + bytes;
        if (needed > gathered_.capacity())
            gathered_.reserve(std::max(needed, 2 * gathered_.capacity()));
    }
    /// Requires: there is room (make_room()), and the caller holds the turn, or turns are not used.
    void add(std::string_view bytes) noexcept {
        gathered_ += bytes;
        has_some_.set();
    }
    /// Discards what was not written, and resumes all tasks that wait for their turn.
    void give_up() noexcept {
        gathered_.clear();
        has_room_.set();
    }
    /// Writes for ever. Throws std::system_error.
    task<> run();

private:
    any_stream& stream_;
    std::size_t bytes_max_;
    std::string gathered_;
    auto_reset_event has_some_;
    event<> has_room_;
    mutex turns_;
};

}  // namespace eddy::redis::detail
