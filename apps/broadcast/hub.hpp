#pragma once

#include "broadcast/figures.hpp"
#include "broadcast/line.hpp"
#include "broadcast/room.hpp"

#include <eddy/core/task.hpp>
#include <eddy/sync/channel.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace eddy::apps {

/// Takes lines from each worker to all others, and to the other nodes if there are any. Each worker delivers
/// a speaker's lines in their order; those of different speakers may come in another order on another worker.
///
/// Thread safety: each worker uses its own room and channel; the figures are shared.
class hub {
public:
    hub(std::size_t workers, bool has_peers);

    [[nodiscard]] room& room_of(std::size_t worker) noexcept { return shares_[worker]->here; }
    /// Returns the room of this worker what others bring. Runs until it is dropped.
    [[nodiscard]] task<> relay(std::size_t worker);

    /// Distributes a line that was said on this worker. Waits only for workers that are behind. Dropped, some
    /// may get it and others not.
    [[nodiscard]] task<> say(std::size_t worker, shared_line said, const receiver* speaker);
    /// Another node has brought something to this worker.
    [[nodiscard]] task<> hear(std::size_t worker, shared_line said);

    /// What is to go to other nodes.
    [[nodiscard]] channel<shared_line>& to_peers() noexcept { return to_peers_; }
    [[nodiscard]] broadcast_figures& figures() noexcept { return figures_; }

private:
    static constexpr std::size_t lines_between_workers_max = 4096;
    // Then the receivers' tasks, and the system that takes their bytes, run first: a burst must not overrun
    // the queues of fast readers.
    static constexpr std::size_t lines_in_a_row_max = 64;

    class share {
    public:
        room here;
        std::size_t delivered = 0;
        channel<shared_line> brought{lines_between_workers_max};
    };

    [[nodiscard]] task<> deliver(std::size_t worker, shared_line said, const receiver* speaker);
    [[nodiscard]] task<> bring_to_others(std::size_t worker, shared_line said);

    std::vector<std::unique_ptr<share>> shares_;
    channel<shared_line> to_peers_{lines_between_workers_max};
    bool has_peers_;
    broadcast_figures figures_;
};

}  // namespace eddy::apps
