#pragma once

#include "http/server/active_request.hpp"
#include "http/server/address_counts.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/http/codec/detail/response_head_writer.hpp>
#include <eddy/http/message/date.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/server/connection_info.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace eddy::http {

struct idle_tag;

/// A connection that waits for a request, of any protocol.
class idle_connection : public eddy::detail::list_hook<idle_tag> {
public:
    /// Ends the wait.
    virtual void close() noexcept = 0;

protected:
    ~idle_connection() = default;
};

/// What a server speaks beside HTTP/1: made for each server by a protocol_choice.
class other_protocol {
public:
    virtual ~other_protocol() = default;

    /// Serves a client to the end. `front` has arrived already. Throws nothing.
    [[nodiscard]] virtual task<void> serve(any_stream stream, std::unique_ptr<connection_info> info,
                                           address_counts::slot slot, std::string front) = 0;
};

/// What the connections of one server share.
class server_state {
public:
    /// Without a listener: for a stream that the caller has accepted.
    server_state(std::optional<tcp_listener> taken, request_handler& answering, server_options chosen);
    ~server_state();

    /// The wall clock as of this turn of the worker.
    [[nodiscard]] std::int64_t unix_seconds() noexcept {
        if (const time_point turn = home.turn_time(); turn != clock_read_at) {
            clock_read_at = turn;
            seconds = home.backend().system().clocks->wall_clock_ns() / 1'000'000'000;
        }
        return seconds;
    }

    /// What a response begins with, as of this turn's second: the status line and the fields that every
    /// response has. Most answers are 200 OK, so that beginning is kept.
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
    eddy::detail::worker_core& home;

    bool is_draining = false;
    std::stop_source draining;  // stops responses without an end, and upgraded connections
    server_statistics counts;
    active_requests spare_requests;
    date_cache dates;
    time_point clock_read_at{};
    std::int64_t seconds = 0;
    field_block common;
    std::string ok_beginning;
    std::int64_t common_second = INT64_MIN;

    address_counts addresses;
    auto_reset_event is_short;  // the listener, of descriptors or memory
    // Freed when there is no other, so that the next connection can be taken in. Accepting at the limit fails
    // whether a connection waits or not, so that only where this is gone has one to make way.
    io::plain_descriptor spare_descriptor;

    std::unique_ptr<other_protocol> protocol;  // null: HTTP/1 only

    // Connections that wait for a request; drain() closes them.
    eddy::detail::intrusive_list<idle_connection, idle_tag> idle;
    task_set refusals;  // connections that are refused with a response
    task_set sessions;  // last: ends before what its tasks refer to
};

}  // namespace eddy::http
