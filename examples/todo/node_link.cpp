#include "node_link.hpp"

#include "log.hpp"
#include "node_name.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/integrations/redis/error.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <system_error>
#include <utility>

namespace todo {

namespace {

namespace redis = eddy::redis;
using namespace std::chrono_literals;

constexpr const char* channel_name = "todo:changes";
constexpr auto pause_between_attempts = 200ms;

}  // namespace

node_link::node_link(redis::options server, eddy::http::metrics_registry& registry, listener reported)
    : node_(make_node_name()),
      reported_(std::move(reported)),
      up_(registry.make_gauge("todo_node_link_up", "Whether changes of other nodes are heard")),
      messages_heard_(registry.make_counter("todo_node_messages_heard_total", "Messages of other nodes")),
      server_(server),
      heard_(watched(std::move(server))) {}

redis::options node_link::watched(redis::options server) {
    server.on_event([this](const redis::connection_event& event) { note(event); });
    return server;
}

void node_link::note(const redis::connection_event& event) {
    const bool is_up = event.what == redis::connection_event::kind::connected;
    up_.set(is_up ? 1 : 0);
    if (is_up && was_cut_off_) {
        log_line("other nodes are heard again");
        reported_({});
    } else if (!is_up && !was_cut_off_) {
        log_line("other nodes are not heard (" + event.reason + ")");
    }
    was_cut_off_ = !is_up;
}

void node_link::tell(std::string message) {
    if (outgoing_.try_send(std::move(message)) != eddy::try_send_result::sent)
        has_overflowed_ = true;
}

eddy::task<> node_link::run() {
    const eddy::handle<> receiving = eddy::spawn(receive(), "node link");
    co_await send();
}

eddy::task<> node_link::send() {
    while (auto message = co_await outgoing_.recv()) {
        bool is_sent = false;
        if (std::exchange(has_overflowed_, false))
            failure_ = "too many changes at once";
        else
            is_sent = co_await publish(std::move(*message));
        if (!is_sent)
            log_line("other nodes cannot be reached for the moment: " + failure_);
        while (!is_sent) {
            // It is not known what has arrived: an empty message says so, as soon as it can be sent.
            is_sent = co_await publish({});
            if (!is_sent)
                co_await eddy::sleep_for(pause_between_attempts);
        }
    }
}

eddy::task<bool> node_link::publish(std::string message) {
    try {
        co_await server_.command("PUBLISH", channel_name, node_ + ' ' + message);
        co_return true;
    } catch (const redis::error& error) {
        failure_ = error.what();
    } catch (const std::system_error& error) {
        failure_ = error.what();
    }
    co_return false;
}

eddy::task<> node_link::receive() {
    co_await heard_.subscribe(channel_name);
    while (const auto message = co_await heard_.receive()) {
        const std::string_view said = message->payload;
        const std::size_t end_of_name = said.find(' ');
        if (end_of_name == std::string_view::npos)
            continue;  // no node has said that
        if (said.substr(0, end_of_name) == node_)
            continue;
        ++messages_heard_;
        reported_(said.substr(end_of_name + 1));
    }
    log_line("other nodes are not heard any more: the subscription was refused");
}

}  // namespace todo
