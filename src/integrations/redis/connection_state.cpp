#include "integrations/redis/connection_state.hpp"

#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace eddy::redis::detail {

connection_state::connection_state(any_stream stream, reply_reader reader, const options& wanted)
    : stream_(std::move(stream)),
      reader_(std::move(reader)),
      writer_(stream_, wanted.send_buffer_bytes()),
      heard_(clock::now()) {
    writing_ = spawn(keep(write()), "redis writer");
    reading_ = spawn(keep(read()), "redis reader");
    if (wanted.health_interval() != duration::zero() || wanted.health_timeout() != duration::zero())
        watching_ = spawn(keep(watch(wanted.health_interval(), wanted.health_timeout())), "redis health");
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
    for (const expectation& each : expected_) {
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
    for (const expectation& each : expected_)
        sum += each.left;
    return sum;
}

void connection_state::begin(std::span<const request> asked, awaited_replies& waiting) {
    throw_if_failed();
    if (expected_.empty())
        heard_ = clock::now();  // from now on the server is to say something
    waiting.number = first_ + expected_.size();
    expected_.emplace_back(&waiting, asked.size());
    waiting.is_expected = true;
    for (const request& each : asked)
        writer_.add(each.bytes());
}

task<std::vector<reply>> connection_state::exchange(std::vector<request> asked) {
    if (asked.empty())
        co_return std::vector<reply>();
    awaited_replies waiting(*this);
    {
        mutex_guard turn = writer_.try_turn();
        if (!turn)
            turn = co_await writer_.turn();
        begin(asked, waiting);
    }
    waiting.replies.reserve(asked.size());
    co_await waiting.done.wait();
    if (waiting.replies.size() != asked.size())
        throw_if_failed();
    co_return std::move(waiting.replies);
}

task<reply> connection_state::exchange_one(request asked) {
    awaited_replies waiting(*this);
    {
        mutex_guard turn = writer_.try_turn();
        if (!turn)
            turn = co_await writer_.turn();
        begin(std::span(&asked, 1), waiting);
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
    expectation& next = expected_.front();
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
        heard_ = clock::now();
        reader_.feed(received.bytes());
    }
}

task<> connection_state::write() {
    co_await writer_.run();
}

// Looks when the time may be over at the earliest, so an active connection costs a timer that is seldom
// armed.
task<> connection_state::watch(duration interval, duration limit) {
    const auto never = duration::zero();
    for (;;) {
        const bool is_asked = !expected_.empty();
        const duration allowed = is_asked ? limit : interval;
        const duration step =
            std::min(interval == never ? limit : interval, limit == never ? interval : limit);
        const time_point due = heard_ + allowed;
        if (allowed == never || clock::now() < due) {
            co_await sleep_for(allowed == never ? step : std::min(step, due - clock::now()));
            continue;
        }
        if (is_asked)
            throw std::system_error(client_error::silent);
        const request ping("PING");
        writer_.add(ping.bytes());
        expected_.emplace_back(nullptr, 1);
        heard_ = clock::now();
    }
}

awaited_replies::~awaited_replies() {
    if (is_expected)
        state_.expected_[number - state_.first_].waiter = nullptr;
}

}  // namespace eddy::redis::detail
