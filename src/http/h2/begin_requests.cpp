// The part of http2_connection that has requests handled.
#include "http/h2/http2_connection.hpp"
#include "http/h2/http2_fields.hpp"
#include "http/server/handled_exchange.hpp"

#include <array>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

void http2_connection::begin_requests() noexcept {
    while (!complete_.empty()) {
        http2_server_stream& next = complete_.pop_front();
        if (!next.is_rejected)
            begin(next);
    }
}

void http2_connection::begin(http2_server_stream& stream) noexcept {
    stream.is_begun = true;
    ready_or_task<> rest;
    try {
        switch (stream.request.finish(!stream.has_body, shared_.options.limits())) {
            case http2_request::verdict::malformed:
                ++shared_.counts.refusals;
                count_reset();
                return reject(stream, NGHTTP2_PROTOCOL_ERROR);
            case http2_request::verdict::refused:
                return refuse(stream);
            case http2_request::verdict::good:
                break;
        }
        ++shared_.counts.requests;
        stream.response.emplace(stream, stream.request.head());
        stream.ex.emplace(*stream.response, shared_.home.turn_time());
        try {
            rest = shared_.handler.handle(*stream.ex);
        } catch (...) {
            rest = fail_request(*stream.ex, *stream.response, std::current_exception());
        }
        if (rest.is_done() && stream.response->has_begun() && !stream.response->has_open_end())
            return end_handling(stream);
        stream.work = spawn(finish(stream, std::move(rest)), "http2 stream");
    } catch (...) {
        reject(stream, NGHTTP2_INTERNAL_ERROR);
    }
}

// Responds without a handler.
void http2_connection::refuse(http2_server_stream& stream) {
    const message_error& why = stream.request.error();
    ++shared_.counts.refusals;
    shared_.counts.count_response(why.status());
    std::string text(why.reason());
    text += '\n';
    const std::string code = std::to_string(to_number(why.status()));
    const std::string length = std::to_string(text.size());
    std::vector<nghttp2_nv>& fields = server_.fields;
    fields.clear();
    fields.push_back(field_pair(":status", code));
    for (std::string_view lines = common_fields(); !lines.empty();) {
        const field_text line = take_field_line(lines);
        fields.push_back(field_pair(line.name, line.value));
    }
    fields.push_back(field_pair("content-type", "text/plain; charset=utf-8"));
    fields.push_back(field_pair("content-length", length));
    static_cast<void>(stream.output().try_append(text));
    send_head(stream, fields, false);
    stream.end_output();
    stream.is_handled = true;
    stream.handled_at = shared_.home.turn_time();
}

task<void> http2_connection::finish(http2_server_stream& stream, ready_or_task<> rest) {
    try {
        co_await finish_response(*stream.ex, *stream.response, std::move(rest));
    } catch (...) {
        // The client has gone, or memory is exhausted: the stream shows which.
        stream.broken() = true;
    }
    handle<void> self = std::move(stream.work);
    end_handling(stream);
    settle();
    start_writing();
    // It ends without an owner; the stream may serve another request by now.
    self.cancel();
}

void http2_connection::end_handling(http2_server_stream& stream) noexcept {
    response_writer& response = *stream.response;
    stream.is_handled = true;
    stream.handled_at = shared_.home.turn_time();
    if (response.has_begun()) {
        shared_.counts.count_response(response.code());
        if (shared_.observer)
            shared_.observer(*stream.ex);
    }
    if (!stream.is_open) {
        if (!stream.eddy::detail::list_hook<http2_queue_tag>::is_linked())
            closed_.push_back(stream);
        return;
    }
    if (!response.is_upgrade())
        consume(stream, std::exchange(stream.unread_bytes, 0));
    const bool is_cut_short = stream.is_broken() || response.needs_abort() ||
                              response.body_bytes_missing() != 0 || !response.has_begun();
    if (response.is_upgrade()) {
        if (stream.taken_over == nullptr && !(stream.is_output_ended() && stream.is_input_ended()))
            reset_stream(stream, NGHTTP2_CANCEL);
    } else if (is_cut_short) {
        reset_stream(stream, response.reset_code());
    } else {
        stream.end_output();
    }
}

}  // namespace eddy::http
