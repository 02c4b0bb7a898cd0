#include "load/load_driver.hpp"

#include "load/http2_exchanger.hpp"
#include "load/http_exchanger.hpp"
#include "load/pace.hpp"
#include "load/websocket_exchanger.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::apps {

namespace {

// How long a connection rests that could not be made, or broke, so that a dead server is not stormed.
constexpr auto shortest_rest = std::chrono::milliseconds(1);
constexpr auto longest_rest = std::chrono::milliseconds(250);

time_point now() noexcept {
    return std::chrono::steady_clock::now();
}

/// One connection's part of a run, or one stream's.
class driven_connection {
public:
    driven_connection(load_run& run, load_result& counted, std::unique_ptr<exchanger> by, pace times)
        : run_(run), counted_(counted), exchanger_(std::move(by)), pace_(times), end_(run.end()) {}

    task<> drive() {
        while (run_.take_request()) {
            const std::optional<time_point> due = pace_.next();
            if (due && *due >= end_)
                co_return;
            if (due)
                co_await sleep_until(*due);
            const time_point sent = now();
            waiting_since_ = due.value_or(sent);
            const std::optional<std::string> failure = co_await exchange();
            if (!failure)
                note_response(sent);
            else
                co_await note_failure(*failure);
            waiting_since_.reset();
        }
    }

    /// Requests that were due, by the rate, and have no response at the end of the run.
    [[nodiscard]] std::uint64_t overdue() noexcept {
        if (!pace_.has_rate() || !waiting_since_)
            return 0;
        std::uint64_t count = 1;
        for (auto due = pace_.next(); *due < end_; due = pace_.next())
            ++count;
        return count;
    }

private:
    [[nodiscard]] duration timeout() const noexcept {
        return std::chrono::duration_cast<duration>(std::chrono::duration<double>(run_.options.timeout_s));
    }

    /// What has gone wrong, if anything has.
    task<std::optional<std::string>> exchange() {
        try {
            co_await with_timeout(exchanger_->exchange(counted_), timeout());
            co_return std::nullopt;
        } catch (const std::system_error& error) {
            co_return error.code().message();
        } catch (const std::runtime_error& error) {
            co_return error.what();
        }
    }

    void note_response(time_point sent) {
        const time_point answered = now();
        ++counted_.answered;
        run_.counts.answered.fetch_add(1, std::memory_order_relaxed);
        counted_.latency.add(answered - *waiting_since_);
        if (pace_.has_rate())
            counted_.service_time.add(answered - sent);
        rest_ = shortest_rest;
    }

    task<> note_failure(const std::string& what) {
        exchanger_->give_up();
        ++counted_.errors[what];
        run_.counts.failed.fetch_add(1, std::memory_order_relaxed);
        co_await sleep_for(rest_);
        rest_ = std::min<duration>(rest_ * 2, longest_rest);
    }

    load_run& run_;
    load_result& counted_;
    std::unique_ptr<exchanger> exchanger_;
    pace pace_;
    time_point end_;
    duration rest_ = shortest_rest;
    std::optional<time_point> waiting_since_;
};

/// Makes the exchangers of one connection.
class exchanger_factory {
public:
    explicit exchanger_factory(const load_run& run) : run_(run) {
        if (run.options.speaks_http2)
            shared_ = std::make_shared<http2_connection>(run.target);
    }

    [[nodiscard]] std::unique_ptr<exchanger> make() const {
        if (shared_)
            return std::make_unique<http2_exchanger>(run_.target, shared_);
        if (run_.target.is_websocket())
            return std::make_unique<websocket_exchanger>(run_.target, run_.options.message_bytes);
        return std::make_unique<http_exchanger>(run_.target, run_.options.closes);
    }

private:
    const load_run& run_;
    std::shared_ptr<http2_connection> shared_;
};

}  // namespace

task<load_result> drive_connections(load_run& run, std::size_t worker) {
    load_result counted;
    const load_options& options = run.options;
    std::vector<std::unique_ptr<driven_connection>> connections;
    const std::uint64_t exchangers = options.connections * options.streams;
    for (std::uint64_t index = worker; index < options.connections; index += options.workers) {
        const exchanger_factory factory(run);
        for (std::uint64_t stream = 0; stream < options.streams; ++stream) {
            const pace times =
                options.rate > 0 ? pace(options.rate, exchangers, index * options.streams + stream, run.start)
                                 : pace();
            connections.push_back(std::make_unique<driven_connection>(run, counted, factory.make(), times));
        }
    }
    task_set driven;
    for (const auto& connection : connections)
        driven.spawn(connection->drive(), "connection");
    if (options.length()) {
        co_await sleep_until(run.end());
        driven.cancel();
        for (const auto& connection : connections)
            counted.unanswered += connection->overdue();
    } else {
        co_await driven.join();
    }
    co_return counted;
}

}  // namespace eddy::apps
