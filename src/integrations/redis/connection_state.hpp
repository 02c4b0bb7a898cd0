#pragma once

#include "integrations/redis/command_writer.hpp"
#include "integrations/redis/health_limits.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/detail/reply_reader.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/integrations/redis/reply.hpp>
#include <eddy/integrations/redis/request.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <span>
#include <vector>

namespace eddy::redis::detail {

class awaited_replies;

/// The receiver of the next replies.
class pending_reply {
public:
    pending_reply(awaited_replies* waiting, std::size_t replies) noexcept : waiter(waiting), left(replies) {}

    awaited_replies* waiter;  // null: the wait was dropped, or there was none
    std::size_t left;
};

/// The state of a connection. The order of `expected_` is that of the bytes passed to the writer.
class connection_state {
public:
    connection_state(any_stream stream, reply_reader reader, const options& wanted);
    connection_state(const connection_state&) = delete;
    connection_state& operator=(const connection_state&) = delete;
    ~connection_state() = default;

    task<std::vector<reply>> exchange(std::vector<request> requested);
    task<reply> exchange_one(request req);

    [[nodiscard]] bool is_open() const noexcept { return failure_ == nullptr; }
    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }
    [[nodiscard]] std::size_t replies_awaited() const noexcept;
    /// Lets everybody go with the error. Nothing happens after the first.
    void fail(std::exception_ptr why) noexcept;

private:
    friend awaited_replies;

    void begin(std::span<const request> requested, awaited_replies& waiting);
    void hand_out(reply came);
    task<> read();
    task<> write();
    task<> watch(health_limits limits);
    /// Runs one of these; its error is the connection's.
    task<> keep(task<> work);
    void throw_if_failed() const {
        if (failure_ != nullptr) [[unlikely]]
            std::rethrow_exception(failure_);
    }

    any_stream stream_;
    reply_reader reader_;
    command_writer writer_;
    std::deque<pending_reply> expected_;
    std::uint64_t first_ = 0;  // the number of the first that is expected
    std::exception_ptr failure_;
    time_point heard_;
    handle<> writing_;
    handle<> reading_;
    handle<> watching_;
};

/// Stands in the connection's queue while its task waits. Dropped, it leaves a gap that swallows its replies.
class awaited_replies {
public:
    explicit awaited_replies(connection_state& requested) noexcept : state_(requested) {}
    awaited_replies(const awaited_replies&) = delete;
    awaited_replies& operator=(const awaited_replies&) = delete;
    ~awaited_replies();

    event<> done;
    std::vector<reply> replies;
    std::uint64_t number = 0;
    bool is_expected = false;

private:
    connection_state& state_;
};

}  // namespace eddy::redis::detail
