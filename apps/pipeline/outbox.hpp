#pragma once

#include "pipeline/frame.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <string>

namespace eddy::apps {

/// Gathers the frames of many tasks and sends what has gathered in one write. The sender goes last among the
/// tasks that are ready, so a busy worker's frames share a system call, and an idle one's leave at once.
///
/// Thread safety: none; it belongs to its worker.
class outbox {
public:
    void put(const frame& sent) {
        if (waiting_.empty())
            has_come_.set();
        sent.append_to(waiting_);
    }

    /// Sends what comes, until it is dropped. Throws std::system_error when the peer has gone.
    [[nodiscard]] task<> send_all(tcp_stream& to);

    /// Forgets what has not been sent. Requires: send_all() does not run.
    void clear() noexcept { waiting_.clear(); }

private:
    std::string waiting_;
    std::string leaving_;
    auto_reset_event has_come_;
};

}  // namespace eddy::apps
