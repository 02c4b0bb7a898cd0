#include "integrations/redis/subscriber_state.hpp"

#include "integrations/redis/connect_failure.hpp"
#include "integrations/redis/health_limits.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/integrations/redis/request.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <system_error>
#include <vector>

namespace eddy::redis::detail {

namespace {

const char* subscribe_command(subscription_kind kind) {
    return kind == subscription_kind::channel ? "SUBSCRIBE" : "PSUBSCRIBE";
}
const char* unsubscribe_command(subscription_kind kind) {
    return kind == subscription_kind::channel ? "UNSUBSCRIBE" : "PUNSUBSCRIBE";
}

/// Forgets the session when it ends, however it does.
class session_slot {
public:
    session_slot(subscriber_session*& slot, subscriber_session& present) noexcept : slot_(slot) {
        slot_ = &present;
    }
    session_slot(const session_slot&) = delete;
    session_slot& operator=(const session_slot&) = delete;
    ~session_slot() { slot_ = nullptr; }

private:
    subscriber_session*& slot_;
};

}  // namespace

void subscriber_session::ask(const char* name, const std::string& argument,
                             std::shared_ptr<subscription> settled) {
    if (requested.empty())
        heard = worker::current().now();  // from now on the server owes a reply
    // As connection_state::begin(): nothing fails between what is expected and what is sent.
    const request command(name, argument);
    writer.make_room(command.bytes().size());
    requested.push_back(std::move(settled));
    writer.add(command.bytes());
}

subscriber_state::subscriber_state(options wanted, std::size_t messages_max)
    : messages(messages_max), settings_(std::move(wanted)) {
    supervising_ = spawn(supervise(), "redis subscriber");
}

void subscriber_state::tell(connection_event::kind what, const std::exception_ptr& why,
                            duration pause) const {
    if (settings_.on_event())
        settings_.on_event()(connection_event(what, why ? reason_of(why) : std::string(), pause));
}

task<> subscriber_state::subscribe(subscription_kind kind, std::string name) {
    throw_if_failed();
    const key wanted(kind, std::move(name));
    std::shared_ptr<subscription> held;  // it may be unsubscribed meanwhile
    if (const auto known = wanted_.find(wanted); known != wanted_.end()) {
        held = known->second;
    } else {
        held = std::make_shared<subscription>();
        const auto added = wanted_.emplace(wanted, held).first;
        try {
            if (session_ != nullptr)
                session_->ask(subscribe_command(kind), wanted.second, held);
        } catch (...) {
            wanted_.erase(added);
            throw;
        }
    }
    co_await held->settled.wait();
    if (held->refusal == nullptr)
        co_return;
    if (const auto found = wanted_.find(wanted); found != wanted_.end() && found->second == held)
        wanted_.erase(found);
    std::rethrow_exception(held->refusal);
}

void subscriber_state::unsubscribe(subscription_kind kind, const std::string& name) {
    const auto found = wanted_.find(key(kind, name));
    if (found == wanted_.end())
        return;
    if (session_ != nullptr)
        session_->ask(unsubscribe_command(kind), name, nullptr);
    found->second->settled.set();  // tasks that still wait need not
    wanted_.erase(found);
}

void subscriber_state::subscribe_to_all(subscriber_session& here) {
    for (const auto& [wanted, entry] : wanted_)
        here.ask(subscribe_command(wanted.first), wanted.second, entry);
}

void subscriber_state::settle(subscriber_session& here, std::exception_ptr refusal) {
    if (here.requested.empty()) {
        if (refusal != nullptr)
            std::rethrow_exception(refusal);
        throw std::system_error(client_error::protocol, "a reply to nothing");
    }
    const std::shared_ptr<subscription> settled = std::move(here.requested.front());
    here.requested.pop_front();
    if (settled == nullptr)
        return;
    settled->refusal = std::move(refusal);
    settled->settled.set();
}

void subscriber_state::announce_if_settled(subscriber_session& here) {
    if (here.is_settled || !here.requested.empty())
        return;
    here.is_settled = true;
    tell(connection_event::kind::connected, nullptr, duration::zero());
}

task<> subscriber_state::deliver(subscriber_session& here, message came) {
    here.is_delivering = true;
    co_await messages.send(std::move(came));
    here.is_delivering = false;
    here.heard = worker::current().now();
}

task<> subscriber_state::take(subscriber_session& here, reply came) {
    if (came.is_error()) {
        settle(here, std::make_exception_ptr(error(came.text())));
        co_return;
    }
    if (!came.is_array()) {  // +PONG, while nothing is subscribed to
        settle(here, nullptr);
        co_return;
    }
    std::vector<reply>& parts = came.elements();
    const std::string kind = parts.empty() ? std::string() : parts.front().as<std::string>();
    if (kind == "message" && parts.size() == 3) {
        const key from(subscription_kind::channel, parts[1].as<std::string>());
        if (wanted_.contains(from))
            co_await deliver(here,
                             message(from.second, std::string(), std::move(parts[2]).as<std::string>()));
    } else if (kind == "pmessage" && parts.size() == 4) {
        const key by(subscription_kind::pattern, parts[1].as<std::string>());
        if (wanted_.contains(by))
            co_await deliver(here, message(std::move(parts[2]).as<std::string>(), by.second,
                                           std::move(parts[3]).as<std::string>()));
    } else {
        settle(here, nullptr);
    }
}

task<> subscriber_state::receive(subscriber_session& here) {
    for (;;) {
        while (auto next = here.link.reader.next()) {
            co_await take(here, *std::move(next));
            announce_if_settled(here);
        }
        const buffer_lease received = co_await here.link.stream.read_leased();
        if (received.empty())
            throw std::system_error(client_error::connection_lost);
        here.heard = worker::current().now();
        here.link.reader.feed(received.bytes());
    }
}

task<> subscriber_state::watch(subscriber_session& here) {
    const health_limits limits(settings_);
    if (!limits.has_any())
        co_await sleep_until(time_point::max());
    for (;;) {
        const bool is_requested = !here.requested.empty();
        const time_point now = worker::current().now();
        // While its messages wait for their receiver, the server cannot be heard.
        const time_point heard = here.is_delivering ? now : here.heard;
        if (now < limits.due(heard, is_requested))
            co_await sleep_for(limits.until_next_look(heard, is_requested, now));
        else if (here.is_delivering)
            co_await sleep_for(std::chrono::milliseconds(1));
        else if (is_requested)
            throw std::system_error(client_error::silent);
        else
            here.ask("PING", std::string(), nullptr);
    }
}

task<> subscriber_state::run_session(bool& was_connected) {
    greeted_stream made = co_await greet(settings_);
    subscriber_session here(std::move(made), settings_);
    const session_slot slot(session_, here);
    was_connected = true;
    subscribe_to_all(here);
    announce_if_settled(here);
    co_await race(receive(here), here.writer.run(), watch(here));
}

void subscriber_state::give_up(const std::exception_ptr& why) {
    failure_ = why;
    messages.close();
    for (const auto& [wanted, entry] : wanted_) {
        entry->refusal = why;
        entry->settled.set();
    }
}

task<> subscriber_state::supervise() {
    try {
        co_await supervise_sessions();
    } catch (...) {
        // What has no memory left, or what the handler of events has thrown.
        give_up(std::current_exception());
    }
}

task<> subscriber_state::supervise_sessions() {
    eddy::detail::growing_wait pauses(settings_.pause_first(), settings_.pause_max(), 2);
    for (;;) {
        std::exception_ptr failure;
        bool was_connected = false;
        try {
            co_await run_session(was_connected);
        } catch (...) {
            failure = std::current_exception();
        }
        for (const auto& [wanted, entry] : wanted_)
            entry->settled.reset();
        if (!may_pass(failure)) {
            tell(connection_event::kind::refused, failure, duration::zero());
            give_up(failure);
            co_return;
        }
        if (was_connected)
            pauses.reset();
        const duration pause = pauses.next();
        tell(was_connected ? connection_event::kind::lost : connection_event::kind::refused, failure, pause);
        co_await sleep_for(pause);
    }
}

}  // namespace eddy::redis::detail
