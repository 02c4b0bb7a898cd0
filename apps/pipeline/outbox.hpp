#pragma once

#include "pipeline/frame.hpp"
#include "pipeline/wake_up.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <string>

namespace eddy::apps {

/// Gathers the frames of many tasks and sends what has gathered in one write. The sender goes last among the
/// tasks that are ready, so a busy worker's frames share a system call, and an idle one's leave at once.
///
/// Thread safety: none; it belongs to its worker.
class outbox {
public:
    void put(const frame& sent) {
        sent.append_to(waiting_);
        wake_up_.notify();
    }

    /// Sends what comes, until it is dropped. Throws std::system_error when the peer has gone.
    [[nodiscard]] task<> send_all(tcp_stream& to);

    /// Forgets what has not been sent. Requires: send_all() does not run.
    void clear() noexcept { waiting_.clear(); }

private:
    std::string waiting_;
    std::string leaving_;
    wake_up wake_up_;
};

}  // namespace eddy::apps
