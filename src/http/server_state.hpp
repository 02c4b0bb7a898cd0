#pragma once

#include "http/active_request.hpp"
#include "http/address_counts.hpp"

#include <eddy/base/intrusive_list.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/http/date.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/field_block.hpp>
#include <eddy/http/request_handler.hpp>
#include <eddy/http/response_head_writer.hpp>
#include <eddy/http/server_options.hpp>
#include <eddy/http/server_statistics.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

namespace eddy::http {

class connection;
struct idle_tag;

/// What the connections of one server share.
class server_state {
public:
    /// Without a listener: for a stream that somebody else has accepted.
    server_state(std::optional<tcp_listener> taken, request_handler& answering, server_options chosen)
        : listener(std::move(taken)),
          handler(answering),
          options(std::move(chosen)),
          home(worker::current()) {
        home.spare().add(spare_requests);
    }

    /// The wall clock as of this turn of the worker.
    [[nodiscard]] std::int64_t unix_seconds() noexcept {
        if (const time_point turn = home.turn_time(); turn != clock_read_at) {
            clock_read_at = turn;
            seconds = home.carrier().wall_clock_ns() / 1'000'000'000;
        }
        return seconds;
    }

    /// What an answer begins with, as of this turn's second: the status line and the fields that every answer
    /// has. Most answers are 200 OK, so that beginning is kept.
    [[nodiscard]] response_head_writer begin_head(std::span<char> buffer, status code) {
        if (const std::int64_t now = unix_seconds(); now != common_second) [[unlikely]]
            renew_common_fields(now);
        if (code == status::ok) [[likely]]
            return response_head_writer(buffer, code, ok_beginning);
        response_head_writer begun(buffer, code);
        begun.fields(common);
        return begun;
    }
    void renew_common_fields(std::int64_t now);

    std::optional<tcp_listener> listener;
    request_handler& handler;
    server_options options;
    exchange_observer observer;
    worker& home;

    bool is_draining = false;
    std::stop_source draining;  // asks answers without an end, and upgraded connections
    server_statistics counts;
    active_requests spare_requests;
    date_cache dates;
    time_point clock_read_at{};
    std::int64_t seconds = 0;
    field_block common;
    std::string ok_beginning;
    std::int64_t common_second = INT64_MIN;

    address_counts addresses;

    // Connections that wait for a request; drain() closes them.
    eddy::detail::intrusive_list<connection, idle_tag> idle;
    task_set refusals;  // connections that are told that there is no place
    task_set sessions;  // last: ends before what its tasks refer to
};

}  // namespace eddy::http
