#include "http/message/base64.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/server_call_state.hpp"
#include "rpc/timeout.hpp"
#include "rpc/wire_metadata.hpp"

#include <eddy/http/message/field.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/rpc/server_call.hpp>
#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace eddy::rpc {
namespace detail {

namespace {

// Of HTTP/2 (RFC 9113 section 7).
constexpr std::uint32_t cancel = 0x8;
// Of the frame that has the trailers in gRPC-Web (its doc/PROTOCOL-WEB.md).
constexpr char web_trailers_flag = '\x80';

}  // namespace

server_call_state::server_call_state(http::exchange& request, const services_options& chosen,
                                     response_memory& shared, call_format spoken)
    : ex(request),
      options(chosen),
      memory(shared),
      format(spoken),
      incoming(chosen.receive_bytes_max()),
      frame(shared.strings().take()) {
    if (format.is_text)
        encoded.emplace();
    ex.body().lift_limits();
}

void server_call_state::take_head() {
    const http::request_head head = ex.request();
    if (const auto text = head.find("grpc-timeout")) {
        const auto length = timeout_from(*text);
        if (!length)
            throw error(status_code::internal, "a grpc-timeout that is malformed");
        deadline = eddy::detail::deadline_after(ex.began_at(), *length);
    }
    if (const auto names = head.find("grpc-accept-encoding"))
        can_read_gzip = lists(*names, compression::gzip);
    if (can_read_gzip)
        sent = options.compression();
    if (const auto name = head.find("grpc-encoding")) {
        const auto way = compression_from(*name);
        if (!way)
            throw error(status_code::unimplemented, "grpc-encoding " + std::string(*name));
        incoming.set_compression(*way);
    }
}

ready_or_task<> server_call_state::begin() {
    if (ex.has_responded())
        return {};
    if (initial.empty())
        return ex.begin_response(http::status::ok, plain_head());
    http::field_block fields = plain_head();
    for (const auto& [name, value] : initial)
        fields.add(name, wire_value(name, value));
    return ex.begin_response(http::status::ok, fields);
}

const http::field_block& server_call_state::plain_head() {
    declared = sent;
    return memory.head(ex.request().find(http::field::content_type).value_or("application/grpc"), sent);
}

template <class Add>
void server_call_state::for_each_trailer(const status& end, Add add) const {
    add("grpc-status", std::to_string(static_cast<unsigned>(end.code())));
    if (!end.message().empty())
        add("grpc-message", encode_message(end.message()));
    if (!end.details().empty())
        add("grpc-status-details-bin", encode_binary(end.details()));
    for (const auto& [name, value] : trailing)
        add(name, wire_value(name, value));
}

task<std::size_t> server_call_state::receive_text(std::span<std::byte> out) {
    while (encoded->empty()) {
        std::array<std::byte, 3072> piece;  // so that the coroutine's frame is one of the frame cache
        const std::size_t count = co_await ex.body().read(piece);
        if (count == 0 && !encoded->is_whole())
            throw error(status_code::internal, "the request has ended within its base64");
        if (count == 0)
            co_return 0;
        encoded->add(as_text(std::span<const std::byte>(piece).first(count)));
    }
    co_return encoded->take(out);
}

ready_or_task<> server_call_state::send(std::string_view frames) {
    if (!encoded) [[likely]]
        return ex.write(as_bytes(frames));
    return send_text(http::base64_encode(frames));
}

task<> server_call_state::send_text(std::string text) {
    co_await ex.write(as_bytes(text));
}

std::string& server_call_state::begin_frame() {
    frame.resize(frame_prefix_size);
    return frame;
}

void server_call_state::note_frame_sent() noexcept {
    is_writing = false;
    if (!spare_strings::keeps(frame)) [[unlikely]]
        std::string().swap(frame);
}

ready_or_task<> server_call_state::send_frame(bool flushes) {
    ready_or_task<> begun = begin();
    if (begun.is_done()) [[likely]]
        return send_behind_head(flushes);
    return begin_and_send(std::move(begun), flushes);
}

task<> server_call_state::begin_and_send(ready_or_task<> begun, bool flushes) {
    co_await std::move(begun);
    co_await send_behind_head(flushes);
}

ready_or_task<> server_call_state::send_behind_head(bool flushes) {
    bytes_sent += frame.size();
    is_writing = true;
    ready_or_task<> sending = send(frame);
    if (!sending.is_done()) [[unlikely]]
        return finish_sending(std::move(sending), flushes);
    note_frame_sent();
    return flushes ? ex.flush() : ready_or_task<>();
}

task<> server_call_state::finish_sending(ready_or_task<> sending, bool flushes) {
    co_await std::move(sending);
    note_frame_sent();
    if (flushes)
        co_await ex.flush();
}

task<> server_call_state::finish(const status& end) {
    // The client could not tell the rest of the message from what follows; nor does it get that while it does not read.
    const bool is_late = end.code() == status_code::deadline_exceeded;
    if (is_writing || (is_late && ex.has_responded() && ex.unsent_bytes() != 0))
        throw http::stream_reset_error(cancel, "within a message");
    // A head that is all: so the client may make the call again where that is sensible.
    if (!ex.has_responded() && !end.is_ok() && initial.empty() && !format.is_web) {
        http::field_block all = plain_head();
        for_each_trailer(end,
                         [&all](std::string_view name, std::string_view value) { all.add(name, value); });
        co_return co_await ex.respond_without_body(http::status::ok, all);
    }
    co_await begin();
    if (!format.is_web) {
        for_each_trailer(
            end, [this](std::string_view name, std::string_view value) { ex.add_trailer(name, value); });
        co_return;
    }
    http::field_block lines;
    for_each_trailer(end,
                     [&lines](std::string_view name, std::string_view value) { lines.add(name, value); });
    begin_frame().append(lines.text());
    write_prefix(frame, web_trailers_flag);
    co_await send(frame);
}

}  // namespace detail

namespace {

// Fields that HTTP does not allow behind a body, beside those of the protocol.
bool may_trail(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 4> names = {"authorization", "content-encoding", "content-range",
                                                       "set-cookie"};
    return std::ranges::find(names, name) == names.end();
}

}  // namespace

std::string_view server_call::method() const noexcept {
    return state_.ex.request().path();
}

const metadata& server_call::request_metadata() const {
    if (!state_.requested) {
        metadata& made = state_.requested.emplace();
        const http::request_head head = state_.ex.request();
        for (std::size_t at = 0; at < head.header_count(); ++at)
            add_field(made, head.header(at).name(), head.header(at).value());
    }
    return *state_.requested;
}

std::optional<time_point> server_call::deadline() const noexcept {
    return state_.deadline;
}

http::exchange& server_call::exchange() const noexcept {
    return state_.ex;
}

void server_call::add_initial_metadata(std::string_view name, std::string_view value) {
    EDDY_ASSERT(!state_.ex.has_responded(), "initial metadata are added before the response begins");
    state_.initial.add(name, value);
}

void server_call::add_trailing_metadata(std::string_view name, std::string_view value) {
    metadata checked;
    checked.add(name, value);
    const auto& [lower, text] = *checked.begin();
    if (!may_trail(lower))
        throw std::invalid_argument("a field that must not come behind a body");
    state_.trailing.add(lower, text);
}

task<> server_call::send_initial_metadata() {
    co_await state_.begin();
    co_await state_.ex.flush();
}

void server_call::set_compression(compression way) noexcept {
    if (way == compression::identity ||
        (state_.ex.has_responded() ? state_.declared == way : state_.can_read_gzip))
        state_.sent = way;
}

bool server_call::was_compressed() const noexcept {
    return state_.incoming.was_compressed();
}

std::string_view server_call::subtype() const noexcept {
    return state_.format.subtype;
}

std::string& server_call::begin_frame() {
    return state_.begin_frame();
}

ready_or_task<> server_call::write_frame(bool flushes) {
    seal_frame(state_.frame, state_.sent, state_.options.send_bytes_max());
    return state_.send_frame(flushes);
}

task<std::optional<std::span<const std::byte>>> server_call::read() {
    for (;;) {
        if (const auto message = state_.incoming.next())
            co_return message;
        // Chosen outside of the await, which g++ 12 needs.
        const std::span<std::byte> room = state_.incoming.room();
        std::size_t count = 0;
        if (state_.encoded) [[unlikely]]
            count = co_await state_.receive_text(room);
        else
            count = co_await state_.ex.body().read(room);
        state_.incoming.add(count);
        state_.bytes_received += count;
        if (count != 0)
            continue;
        if (state_.incoming.is_within_frame())
            throw error(status_code::internal, "the request has ended within a message");
        co_return std::nullopt;
    }
}

}  // namespace eddy::rpc
