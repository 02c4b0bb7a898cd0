#pragma once

#include "eddy_etcd_messages.pb.h"
#include "eddy_etcd_services.eddy.hpp"
#include "etcd/node.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/etcd/client_options.hpp>
#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/status.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::etcd::detail {

/// Between rounds of attempts, one at each node.
inline constexpr duration first_wait = std::chrono::milliseconds(50);
inline constexpr duration longest_wait = std::chrono::seconds(1);

/// Whether a request is made again that may have been carried out.
enum class repeating : std::uint8_t { always, unless_processed };

/// Whether a call that has failed like this may succeed later, or at another node.
[[nodiscard]] bool is_passing(rpc::status_code code) noexcept;

/// The attempts of a request, and the waits between them: none until each node was tried, then longer and longer.
class attempts {
public:
    explicit attempts(std::size_t nodes) noexcept : nodes_(nodes) {}

    /// How long to wait before the next.
    [[nodiscard]] duration next_wait();
    void reset() noexcept {
        count_ = 0;
        waits_.reset();
        has_renewed_token_ = false;
    }
    /// Whether a new token was already requested, now it is.
    [[nodiscard]] bool renews_token() noexcept { return !std::exchange(has_renewed_token_, true); }

private:
    std::size_t nodes_;
    std::size_t count_ = 0;
    eddy::detail::growing_wait waits_{first_wait, longest_wait, 2};
    bool has_renewed_token_ = false;
};

/// What a client, its leases and claims share.
class client_state {
public:
    client_state(const std::vector<std::string>& endpoints, client_options options);
    client_state(const client_state&) = delete;
    client_state& operator=(const client_state&) = delete;
    ~client_state() = default;

    [[nodiscard]] const client_options& options() const noexcept { return options_; }
    /// The node that is used now.
    [[nodiscard]] node& current() const noexcept { return *nodes_[current_]; }
    /// It has failed: the next one is used, if this one still is.
    void leave(node& failed) noexcept;
    [[nodiscard]] attempts new_attempts() const noexcept { return attempts(nodes_.size()); }
    [[nodiscard]] time_point request_end() const noexcept;
    /// With what all calls have: the token, and that the node has to have a leader.
    [[nodiscard]] task<rpc::call_options> options_for(const node& at);
    /// Whether etcd may not have accepted the token, so that another attempt with a new one makes sense. A watch with
    /// an old one is refused like one without a permission.
    [[nodiscard]] bool takes_new_token(const rpc::status& failed, attempts& made, bool is_watch);

    /// Makes a request until it has succeeded, or failed for good. Requires: the state outlives the task.
    template <class Client, class Request, class Reply>
    [[nodiscard]] task<Reply> call(task<Reply> (Client::*method)(const Request&, rpc::call_options) const,
                                   Request request, repeating way);
    template <class Client, class Request, class Reply>
    [[nodiscard]] task<Reply> call_until(task<Reply> (Client::*method)(const Request&, rpc::call_options)
                                             const,
                                         Request request, repeating way, time_point end,
                                         duration attempt_time);

    /// Runs it as long as there is this state. Errors are ignored; so is a lack of memory.
    void run_in_background(task<> work) noexcept;

private:
    /// Throws unless the request may be made again, after a wait.
    [[nodiscard]] task<> recover(node& at, rpc::status failed, bool may_be_processed, attempts& made,
                                 time_point end);
    /// Waits for a response of the node to something that changes nothing. Throws rpc::error.
    [[nodiscard]] task<> prove(node& at);

    client_options options_;
    std::vector<std::unique_ptr<node>> nodes_;
    std::size_t current_ = 0;
    std::optional<std::string> token_;  // empty where etcd has no authentication
    task_set background_;               // the last, as its tasks use the others
};

template <class Client, class Request, class Reply>
task<Reply> client_state::call(task<Reply> (Client::*method)(const Request&, rpc::call_options) const,
                               Request request, repeating way) {
    return call_until(method, std::move(request), way, request_end(), options_.attempt_time());
}

template <class Client, class Request, class Reply>
task<Reply> client_state::call_until(task<Reply> (Client::*method)(const Request&, rpc::call_options) const,
                                     Request request, repeating way, time_point end, duration attempt_time) {
    attempts made = new_attempts();
    for (;;) {
        node& at = current();
        bool is_sent = false;
        rpc::status failed;
        try {
            if (way == repeating::unless_processed && !at.is_proven())
                co_await prove(at);
            rpc::call_options options = co_await options_for(at);
            options.deadline(end);
            if (way == repeating::always)
                options.timeout(attempt_time);
            const Client through(at.channel());
            is_sent = true;
            Reply reply = co_await (through.*method)(request, std::move(options));
            at.note_response();
            co_return reply;
        } catch (const rpc::error& failure) {
            failed = failure.status();
        }
        co_await recover(at, std::move(failed), is_sent && way == repeating::unless_processed, made, end);
    }
}

}  // namespace eddy::etcd::detail
