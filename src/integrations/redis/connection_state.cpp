#include "integrations/redis/connection_state.hpp"

#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace eddy::redis::detail {

connection_state::connection_state(any_stream stream, reply_reader reader, const options& wanted)
    : stream_(std::move(stream)),
      reader_(std::move(reader)),
      writer_(stream_, wanted.send_buffer_bytes()),
      heard_(worker::current().now()) {
    writing_ = spawn(keep(write()), "redis writer");
    reading_ = spawn(keep(read()), "redis reader");
    if (const health_limits limits(wanted); limits.has_any())
        watching_ = spawn(keep(watch(limits)), "redis health");
}

task<> connection_state::keep(task<> work) {
    try {
        co_await std::move(work);
    } catch (...) {
        fail(std::current_exception());
    }
}

void connection_state::fail(std::exception_ptr why) noexcept {
    if (failure_ != nullptr)
        return;
    failure_ = std::move(why);
    for (const pending_reply& each : expected_) {
        if (each.waiter != nullptr) {
            each.waiter->is_expected = false;
            each.waiter->done.set();
        }
    }
    expected_.clear();
    writer_.give_up();
    stream_.close();
}

std::size_t connection_state::replies_awaited() const noexcept {
    std::size_t sum = 0;
    for (const pending_reply& each : expected_)
        sum += each.left;
    return sum;
}

void connection_state::begin(std::span<const request> requested, awaited_replies& waiting) {
    throw_if_failed();
    if (expected_.empty())
        heard_ = worker::current().now();  // from now on the server owes a reply
    // What is expected is sent as well: nothing fails in between, or all later replies would come to the
    // wrong tasks.
    std::size_t bytes = 0;
    for (const request& each : requested)
        bytes += each.bytes().size();
    writer_.make_room(bytes);
    waiting.number = first_ + expected_.size();
    expected_.emplace_back(&waiting, requested.size());
    waiting.is_expected = true;
    for (const request& each : requested)
        writer_.add(each.bytes());
}

task<std::vector<reply>> connection_state::exchange(std::vector<request> requested) {
    if (requested.empty())
        co_return std::vector<reply>();
    awaited_replies waiting(*this);
    {
        mutex_guard turn = writer_.try_turn();
        if (!turn)
            turn = co_await writer_.turn();
        begin(requested, waiting);
    }
    waiting.replies.reserve(requested.size());
    co_await waiting.done.wait();
    if (waiting.replies.size() != requested.size())
        throw_if_failed();
    co_return std::move(waiting.replies);
}

task<reply> connection_state::exchange_one(request req) {
    awaited_replies waiting(*this);
    {
        mutex_guard turn = writer_.try_turn();
        if (!turn)
            turn = co_await writer_.turn();
        begin(std::span(&req, 1), waiting);
    }
    co_await waiting.done.wait();
    if (waiting.replies.empty())
        throw_if_failed();
    waiting.replies.front().throw_if_error();
    co_return std::move(waiting.replies.front());
}

void connection_state::hand_out(reply came) {
    if (expected_.empty()) {
        came.throw_if_error();  // the server's last word: that it has too many clients, say
        throw std::system_error(client_error::protocol, "a reply to nothing");
    }
    pending_reply& next = expected_.front();
    if (next.waiter != nullptr)
        next.waiter->replies.push_back(std::move(came));
    if (--next.left != 0)
        return;
    if (next.waiter != nullptr) {
        next.waiter->is_expected = false;
        next.waiter->done.set();
    }
    expected_.pop_front();
    ++first_;
}

task<> connection_state::read() {
    for (;;) {
        while (auto next = reader_.next())
            hand_out(*std::move(next));
        const buffer_lease received = co_await stream_.read_leased();
        if (received.empty())
            throw std::system_error(client_error::connection_lost);
        heard_ = worker::current().now();
        reader_.feed(received.bytes());
    }
}

task<> connection_state::write() {
    co_await writer_.run();
}

// Looks when the time may be over at the earliest, so an active connection costs a timer that is seldom
// armed.
task<> connection_state::watch(health_limits limits) {
    for (;;) {
        const bool is_requested = !expected_.empty();
        const time_point now = worker::current().now();
        if (now < limits.due(heard_, is_requested)) {
            co_await sleep_for(limits.until_next_look(heard_, is_requested, now));
            continue;
        }
        if (is_requested)
            throw std::system_error(client_error::silent);
        const request ping("PING");
        writer_.make_room(ping.bytes().size());
        expected_.emplace_back(nullptr, 1);
        writer_.add(ping.bytes());
        heard_ = now;
    }
}

awaited_replies::~awaited_replies() {
    if (is_expected)
        state_.expected_[number - state_.first_].waiter = nullptr;
}

}  // namespace eddy::redis::detail
