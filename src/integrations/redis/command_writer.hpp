#pragma once

#include <eddy/core/task.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/mutex.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::redis::detail {

/// Gathers what is to be sent, so that commands of one turn leave in one write. A task of its owner's writes.
class command_writer {
public:
    command_writer(any_stream& stream, std::size_t bytes_max) noexcept
        : stream_(stream), bytes_max_(bytes_max) {}

    /// Waits for room and for who came before. While the guard is held nobody else adds anything.
    task<mutex_guard> turn();
    /// A turn that is to be had at once, or none.
    [[nodiscard]] mutex_guard try_turn() noexcept {
        return gathered_.size() <= bytes_max_ ? turns_.try_lock() : mutex_guard();
    }
    /// Requires: it is the caller's turn, or nobody takes turns.
    void add(std::string_view bytes) {
        gathered_ += bytes;
        has_some_.set();
    }
    /// Forgets what was not written, and lets all who wait for their turn go on.
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
