#include "broadcast/node_link.hpp"

#include "common/log.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/sleep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

namespace eddy::apps {

namespace {

constexpr std::size_t messages_at_once = 256;
// Before what could not be sent is tried again.
constexpr std::chrono::milliseconds retry_pause{50};

std::string new_node_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

redis::options options_of(const broadcast_options& how) {
    using namespace std::chrono_literals;
    return redis::options::from_url(how.redis_url).client_name("eddy-broadcast").pauses(50ms, 1s);
}

template <class... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
    log("redis: {}", fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace

node_link::node_link(const broadcast_options& how, hub& all)
    : all_(all),
      how_(how),
      node_(new_node_name()),
      lines_(how.redis_lines_max),
      peers_(how.redis_lines_max),
      client_(options_of(how)),
      subscriber_(
          options_of(how).on_event([this](const redis::connection_event& what) { note_event(what); })) {}

void node_link::note_event(const redis::connection_event& what) {
    using kind = redis::connection_event::kind;
    if (what.what == kind::connected) {
        say("connected, node {}, {} lines to be sent", node_, lines_.unsent());
        is_away_ = false;
        // The others learn what they have missed of us, and we of them.
        add_note(peer_message::last_of(node_, lines_.next() - 1));
        add_note(peer_message::who_of(node_));
    } else if (!std::exchange(is_away_, true)) {
        say("{}: {}; lines said here are kept, {} at the most, until it is back",
            what.what == kind::lost ? "the connection is lost" : "not connected", what.reason,
            how_.redis_lines_max);
    }
}

void node_link::note_lost_lines() {
    if (lines_.lost() != lost_told_)
        say("{} lines were dropped before they could be sent",
            lines_.lost() - std::exchange(lost_told_, lines_.lost()));
}

void node_link::add_note(std::string payload) {
    if (notes_.size() >= how_.redis_lines_max)
        notes_.pop_front();
    notes_.push_back(std::move(payload));
    has_work_.set();
}

task<> node_link::run() {
    co_await when_all(gather(), send(), receive());
}

task<> node_link::flush() {
    while (subscriber_.is_connected() && (lines_.has_unsent() || all_.to_peers().size() != 0))
        co_await sleep_for(retry_pause / 10);
}

task<> node_link::gather() {
    for (;;) {
        auto next = co_await all_.to_peers().recv();
        lines_.add(*std::move(next));
        has_work_.set();
    }
}

/// What was not confirmed is sent again; nodes that have it already recognise its number.
task<> node_link::send() {
    for (;;) {
        co_await has_work_.wait();
        while (subscriber_.is_connected() && (!notes_.empty() || lines_.has_unsent())) {
            const bool is_sent = co_await send_some();
            if (!is_sent)
                co_await sleep_for(retry_pause);
        }
    }
}

task<bool> node_link::send_some() {
    redis::pipeline messages;
    const std::size_t notes = std::min(notes_.size(), messages_at_once);
    for (std::size_t at = 0; at != notes; ++at)
        messages.add("PUBLISH", how_.redis_channel, notes_[at]);
    std::uint64_t number = lines_.next();
    for (; messages.size() < messages_at_once; ++number) {
        const shared_line next = lines_.find(number);
        if (next == nullptr)
            break;
        messages.add("PUBLISH", how_.redis_channel, peer_message::line_of(node_, number, next->text()));
    }
    const auto answers = co_await as_result(client_.run(std::move(messages)));
    if (!answers)
        co_return false;
    const auto refused =
        std::ranges::find_if(*answers, [](const redis::reply& each) { return each.is_error(); });
    if (refused != answers->end()) {
        say("refuses what is published: {}", refused->text());
        co_return false;
    }
    notes_.erase(notes_.begin(),
                 notes_.begin() + static_cast<std::ptrdiff_t>(std::min(notes, notes_.size())));
    lines_.note_sent_before(number);
    note_lost_lines();
    co_return true;
}

task<> node_link::receive() {
    auto subscribing = spawn(subscriber_.subscribe(how_.redis_channel));
    auto messages = subscriber_.messages();
    for (;;) {
        auto next = co_await messages.next();
        if (!next)
            break;
        co_await take(std::move(next->payload));
    }
    co_await subscribing;
}

task<> node_link::take(std::string payload) {
    const auto reported = peer_message::parse(payload);
    if (!reported || reported->node == node_)
        co_return;
    using kind = peer_message::kind;
    if (reported->what == kind::who) {
        add_note(peer_message::last_of(node_, lines_.next() - 1));
    } else if (reported->what == kind::again) {
        if (reported->other == node_)
            send_again(*reported);
    } else if (reported->what == kind::last) {
        peers_.note_last(reported->node, reported->number);
        ask_for_missing(reported->node, true);
    } else {
        const bool is_new = peers_.take(reported->node, reported->number);
        ask_for_missing(reported->node, false);
        if (is_new)
            co_await all_.hear(0, make_line(reported->text));
    }
}

void node_link::ask_for_missing(std::string_view node, bool again) {
    const auto gap = peers_.missing(node, again);
    if (!gap)
        return;
    say("lines of node {} were missed, among {} to {}; they are requested", node, gap->first, gap->second);
    add_note(peer_message::again_of(node_, node, gap->first, gap->second));
}

void node_link::send_again(const peer_message& requested) {
    const std::uint64_t end = std::min(requested.to + 1, lines_.next());
    const std::uint64_t first = std::max(requested.number, end - std::min(end, how_.redis_lines_max));
    std::uint64_t count = 0;
    for (std::uint64_t number = first; number < end; ++number) {
        if (const shared_line kept = lines_.find(number)) {
            add_note(peer_message::line_of(node_, number, kept->text()));
            ++count;
        }
    }
    say("{} lines are sent again for node {}", count, requested.node);
}

}  // namespace eddy::apps
