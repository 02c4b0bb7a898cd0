#pragma once

#include "broadcast/hub.hpp"
#include "broadcast/options.hpp"
#include "broadcast/peer_ledger.hpp"
#include "broadcast/peer_message.hpp"
#include "broadcast/sent_lines.hpp"

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/subscriber.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace eddy::apps {

/// Joins this node with others through a channel of Redis. Belongs to worker 0.
///
/// The rule for lines that are said while Redis, or a node, is away: they are sent at once to the receivers
/// of their own node, kept there (`--redis-queue` of them, the oldest go first), and sent once Redis is back.
/// A node that has missed lines of another, which the numbers show, requests them again. So each line is
/// delivered once on every node that was joined when it was said, as long as its own node keeps it.
class node_link {
public:
    node_link(const broadcast_options& how, hub& all);
    node_link(const node_link&) = delete;
    node_link& operator=(const node_link&) = delete;

    /// Runs until it is dropped. Throws if Redis refuses to have us.
    [[nodiscard]] task<> run();

    /// Waits until all lines were sent that can be at present.
    [[nodiscard]] task<> flush();

private:
    [[nodiscard]] task<> gather();
    [[nodiscard]] task<> send();
    [[nodiscard]] task<bool> send_some();
    [[nodiscard]] task<> receive();
    [[nodiscard]] task<> take(std::string payload);
    void ask_for_missing(std::string_view node, bool again);
    void send_again(const peer_message& requested);
    void add_note(std::string payload);
    void note_event(const redis::connection_event& what);
    void note_lost_lines();

    hub& all_;
    const broadcast_options& how_;
    std::string node_;
    sent_lines lines_;
    peer_ledger peers_;
    std::deque<std::string> notes_;  // what is to be sent beside lines
    auto_reset_event has_work_;
    bool is_away_ = false;
    std::uint64_t lost_told_ = 0;
    redis::client client_;
    redis::subscriber subscriber_;
};

}  // namespace eddy::apps
