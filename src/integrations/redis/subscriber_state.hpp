#pragma once

#include "integrations/redis/command_writer.hpp"
#include "integrations/redis/handshake.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/subscriber.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace eddy::redis::detail {

enum class subscription_kind : std::uint8_t { channel, pattern };

/// Something that was subscribed to, and whether that holds at present.
class subscription {
public:
    event<> settled;  // confirmed or refused
    std::exception_ptr refusal;
};

/// A connection, from its greeting to its loss.
class subscriber_session {
public:
    subscriber_session(greeted_stream made, const options& wanted)
        : link(std::move(made)),
          writer(link.stream, wanted.send_buffer_bytes()),
          heard(worker::current().now()) {}

    /// Sends a command that one reply will come to; that settles the subscription, if there is one.
    void ask(const char* name, const std::string& argument, std::shared_ptr<subscription> settled);

    greeted_stream link;
    command_writer writer;
    std::deque<std::shared_ptr<subscription>> requested;
    time_point heard;
    bool is_delivering = false;
    bool is_settled = false;  // once all replies have come that the first commands wait for
};

class subscriber_state {
public:
    subscriber_state(options wanted, std::size_t messages_max);

    task<> subscribe(subscription_kind kind, std::string name);
    void unsubscribe(subscription_kind kind, const std::string& name);

    channel<message> messages;
    [[nodiscard]] bool is_connected() const noexcept { return session_ != nullptr && session_->is_settled; }
    void throw_if_failed() const {
        if (failure_ != nullptr)
            std::rethrow_exception(failure_);
    }

private:
    using key = std::pair<subscription_kind, std::string>;

    task<> supervise();
    task<> supervise_sessions();
    task<> run_session(bool& was_connected);
    task<> receive(subscriber_session& here);
    task<> take(subscriber_session& here, reply came);
    task<> deliver(subscriber_session& here, message came);
    task<> watch(subscriber_session& here);
    static void settle(subscriber_session& here, std::exception_ptr refusal);
    void announce_if_settled(subscriber_session& here);
    void subscribe_to_all(subscriber_session& here);
    void give_up(const std::exception_ptr& why);
    void tell(connection_event::kind what, const std::exception_ptr& why, duration pause) const;

    options settings_;
    std::map<key, std::shared_ptr<subscription>> wanted_;
    subscriber_session* session_ = nullptr;
    std::exception_ptr failure_;
    handle<> supervising_;
};

}  // namespace eddy::redis::detail
