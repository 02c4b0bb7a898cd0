#include "http/message/characters.hpp"
#include "http/server/connection.hpp"
#include "http/server/exchange_parts.hpp"
#include "http/server/output_buffer.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/detail/response_writer.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace eddy::http {

namespace {

// Below the size from which malloc() maps, and unmaps, memory for each call.
constexpr std::size_t file_piece_bytes = 120 * 1024;
// A copy of so little costs less than to have the system move it.
constexpr std::uint64_t file_copied_bytes_max = 64 * 1024;
// A filter may take some 30 ns a byte: other tasks run between its pieces.
constexpr std::size_t filtered_piece_bytes = 32 * 1024;

// RFC 9110 section 6.5.1: what must be known before the body.
bool may_be_sent_as_trailer(std::string_view name) noexcept {
    switch (field_from(name)) {
        case field::content_encoding:
        case field::content_length:
        case field::content_type:
        case field::connection:
        case field::host:
        case field::trailer:
        case field::transfer_encoding:
        case field::upgrade:
        case field::te:
        case field::authorization:
            return false;
        default:
            return !equal_ignoring_case(name, "Content-Range") && !equal_ignoring_case(name, "Set-Cookie");
    }
}

}  // namespace

// -- the beginning --

void response_writer::add_field(std::string_view name, std::string_view value) {
    EDDY_ASSERT(!has_begun(), "fields are added before the response begins");
    stream_.parts().added.add(name, value);
}

void response_writer::add_filter(std::unique_ptr<response_filter> filter) {
    EDDY_ASSERT(!has_begun(), "a response is filtered from its beginning");
    stream_.parts().filter = std::move(filter);
}

bool response_writer::has_filter() const noexcept {
    const exchange_parts* const made = stream_.parts_if_any();
    return made != nullptr && made->filter != nullptr;
}

const field_block* response_writer::added_fields() const noexcept {
    const exchange_parts* const made = stream_.parts_if_any();
    return made != nullptr && filtering_ == filtering::none ? &made->added : nullptr;
}

void response_writer::drop_filter() noexcept {
    if (exchange_parts* const made = stream_.parts_if_any())
        made->filter.reset();
    filtering_ = filtering::none;
}

response_framing response_writer::framing_of(std::optional<std::uint64_t> size) const noexcept {
    // A client takes what follows for the bytes of a tunnel (RFC 9110 section 9.3.6), which ends with them.
    if (request_.method() == method::connect && to_number(status_) / 100 == 2) [[unlikely]]
        return response_framing(body_end::closing);
    if (size)
        return response_framing::of_length(*size);
    if (status_ == status::reset_content)
        return response_framing::of_length(0);
    if (stream_.spoken() != exchange_stream::protocol::http_1)
        return response_framing(body_end::stream);
    return response_framing(request_.minor_version() == 0 ? body_end::closing : body_end::chunked);
}

// HTTP/1's is called directly: no small response needs a virtual call.
bool response_writer::try_write_head(const response_fields& fields, response_framing body) {
    if (stream_.spoken() == exchange_stream::protocol::http_1) [[likely]]
        return static_cast<connection&>(stream_).try_write_head(*this, fields, body);
    return stream_.try_write_head(*this, fields, body);
}

bool response_writer::try_begin(const response_fields& fields, response_framing body) {
    if (!try_write_head(fields, body))
        return false;
    if (exchange_parts* const made = stream_.parts_if_any(); made != nullptr && made->body)
        made->body->note_response();
    end_ = body.end();
    wants_body_ = request_.method() != method::head && !forbids_body(status_);
    body_size_ = wants_body_ ? body.length() : 0;
    return true;
}

task<void> response_writer::begin_slowly(field_block fields, response_framing body) {
    co_await stream_.send({});
    static_cast<void>(try_begin(fields, body));  // now there is room, or it throws
}

ready_or_task<> response_writer::begin(status code, const response_fields& fields,
                                       std::optional<std::uint64_t> size) {
    EDDY_ASSERT(!has_begun(), "a request is answered once");
    status_ = code;
    if (has_filter()) [[unlikely]] {
        if (begin_filter(fields, size))
            size.reset();
        const response_fields all(stream_.parts().filtered_lines);
        if (try_begin(all, framing_of(size)))
            return {};
        return begin_slowly(field_block(all), framing_of(size));
    }
    if (try_begin(fields, framing_of(size))) [[likely]]
        return {};
    return begin_slowly(field_block(fields), framing_of(size));
}

// Runs the header fields through the filter. Returns whether it will also transform the body.
bool response_writer::begin_filter(const response_fields& fields, std::optional<std::uint64_t> size) {
    exchange_parts& mine = stream_.parts();
    field_list& all = mine.filtered_fields;
    all.clear();
    for (std::string_view lines : {fields.block(), mine.added.text()}) {
        while (!lines.empty()) {
            const std::string_view line = lines.substr(0, lines.find('\r'));
            const std::size_t colon = line.find(':');
            all.add(line.substr(0, colon), line.substr(colon + 2));
            lines.remove_prefix(line.size() + 2);
        }
    }
    for (const response_field& single : fields.single())
        all.add(single.name(), single.value());
    const bool takes_part = mine.filter->begin(status_, all, size);
    mine.filtered_lines.clear();
    for (const field_list::line& line : all)
        mine.filtered_lines.emplace_back(line.name(), line.value());
    filtering_ = takes_part ? filtering::body : filtering::fields;
    return takes_part;
}

// -- whole responses --

bool response_writer::try_respond(status code, const response_fields& fields, std::string_view body) {
    EDDY_ASSERT(!has_begun(), "a request is answered once");
    output_buffer& output = stream_.output();
    if (has_filter() || request_.method() == method::connect || body.size() > output.room().size())
        return false;
    status_ = code;
    const output_buffer::mark before = output.end();
    if (!try_begin(fields, response_framing::of_length(body.size())))
        return false;
    if (!wants_body_ || output.try_append(body)) {
        body_bytes_ = body_size_;
        return true;
    }
    output.take_back(before);
    end_ = body_end::undecided;
    wants_body_ = false;
    body_size_ = 0;
    return false;
}

ready_or_task<> response_writer::respond(status code, const response_fields& fields, std::string_view body) {
    if (try_respond(code, fields, body)) [[likely]]
        return {};
    if (has_filter()) {
        EDDY_ASSERT(!has_begun(), "a request is answered once");
        status_ = code;
        return respond_filtered(begin_filter(fields, body.size()), body);
    }
    ready_or_task<> begun = begin(code, fields, body.size());
    if (begun.is_done())
        return write(as_bytes(body));
    return finish_responding(std::move(begun), body);
}

task<void> response_writer::finish_responding(ready_or_task<> begun, std::string_view body) {
    co_await std::move(begun);
    co_await write(as_bytes(body));
}

ready_or_task<> response_writer::respond_without_body(status code, const response_fields& fields) {
    if (has_filter())
        return respond(code, fields, {});
    EDDY_ASSERT(!has_begun(), "a request is answered once");
    status_ = code;
    if (try_begin(fields, response_framing::nothing()))
        return {};
    return begin_slowly(field_block(fields), response_framing::nothing());
}

ready_or_task<> response_writer::respond_owned(status code, const response_fields& fields,
                                               std::string&& body) {
    if (try_respond(code, fields, body)) [[likely]]
        return {};
    return respond_keeping(code, field_block(fields), std::move(body));
}

task<void> response_writer::respond_keeping(status code, field_block fields, std::string body) {
    co_await respond(code, fields, std::string_view(body));
}

// The whole body is filtered first, so that its size is known.
task<void> response_writer::respond_filtered(bool takes_part, std::string_view body) {
    // For HEAD as well, whose response is framed as that to GET (RFC 9110 section 9.3.2).
    if (takes_part && !forbids_body(status_)) {
        exchange_parts& mine = stream_.parts();
        for (std::string_view rest = body; !rest.empty();) {
            const std::string_view part = rest.substr(0, filtered_piece_bytes);
            mine.filter->append(as_bytes(part), mine.filtered);
            rest.remove_prefix(part.size());
            if (!rest.empty())
                co_await yield();
        }
        mine.filter->finish(mine.filtered);
        body = mine.filtered;
        filtering_ = filtering::fields;
    }
    const response_fields all(stream_.parts().filtered_lines);
    const response_framing framing = framing_of(body.size());
    if (!try_begin(all, framing))
        co_await begin_slowly(field_block(all), framing);
    co_await write(as_bytes(body));
}

// -- bodies in pieces --

ready_or_task<> response_writer::write(std::span<const std::byte> piece) {
    EDDY_ASSERT(has_begun(), "a response is begun before its body");
    if (!wants_body_)
        return {};
    if (end_ != body_end::content_length) [[unlikely]]
        return write_coded(piece);
    EDDY_ASSERT(piece.size() <= body_bytes_missing(), "a body is as long as was announced");
    body_bytes_ += piece.size();
    if (stream_.output().try_append(as_text(piece)))
        return {};
    return stream_.send(as_text(piece));
}

ready_or_task<> response_writer::write_coded(std::span<const std::byte> piece) {
    if (filtering_ != filtering::body)
        return write_out(as_text(piece));
    if (piece.size() > filtered_piece_bytes)
        return write_filtered(piece);
    exchange_parts& mine = stream_.parts();
    mine.filtered.clear();
    mine.filter->append(piece, mine.filtered);
    return write_out(mine.filtered);
}

task<void> response_writer::write_filtered(std::span<const std::byte> piece) {
    while (!piece.empty()) {
        const auto part = piece.first(std::min(piece.size(), filtered_piece_bytes));
        co_await write_coded(part);
        piece = piece.subspan(part.size());
        if (!piece.empty())
            co_await yield();
    }
}

// Bytes as they are to arrive, in a chunk where need be.
ready_or_task<> response_writer::write_out(std::string_view bytes) {
    if (bytes.empty())
        return {};
    body_bytes_ += bytes.size();
    output_buffer& output = stream_.output();
    const bool is_chunked = end_ == body_end::chunked;
    if (is_chunked ? output.try_append_chunk(bytes) : output.try_append(bytes))
        return {};
    if (is_chunked)
        return write_chunk(bytes);
    return stream_.send(bytes);
}

task<void> response_writer::write_chunk(std::string_view bytes) {
    co_await stream_.send({});
    output_buffer& output = stream_.output();
    if (output.try_append_chunk(bytes))
        co_return;
    output.append_chunk_head(bytes.size());
    co_await stream_.send(bytes);
    static_cast<void>(output.try_append("\r\n"));
}

ready_or_task<> response_writer::flush() {
    if (filtering_ == filtering::body && wants_body_)
        return flush_filtered();
    if (!stream_.output().empty())
        return stream_.send({});
    return {};
}

task<void> response_writer::flush_filtered() {
    exchange_parts& mine = stream_.parts();
    mine.filtered.clear();
    mine.filter->flush(mine.filtered);
    co_await write_out(mine.filtered);
    co_await stream_.send({});
}

void response_writer::add_trailer(std::string_view name, std::string_view value) {
    EDDY_ASSERT(has_begun() && end_ != body_end::content_length,
                "trailers come behind a body of unknown size");
    if (!may_be_sent_as_trailer(name))
        throw std::invalid_argument("a field that must not come behind a body");
    stream_.parts().trailers.add(name, value);
}

task<void> response_writer::finish() {
    const exchange_parts* const made = stream_.parts_if_any();
    if (filtering_ == filtering::body) {
        exchange_parts& mine = stream_.parts();
        mine.filtered.clear();
        mine.filter->finish(mine.filtered);
        co_await write_out(mine.filtered);
    }
    if (end_ != body_end::chunked && end_ != body_end::stream)
        co_return;
    std::string_view trailers;
    if (made != nullptr)
        trailers = made->trailers.text();
    co_await stream_.end_body(trailers);
}

// -- files and upgrades --

task<void> response_writer::respond_with_file(status code, response_fields fields, const file& content,
                                              std::uint64_t offset, std::uint64_t size) {
    co_await begin(code, fields, size);
    if (!wants_body_)
        co_return;
    const bool is_for_the_system =
        size > file_copied_bytes_max && end_ == body_end::content_length && stream_.can_send_file();
    std::unique_ptr<std::byte[]> memory;
    const std::size_t piece_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, file_piece_bytes));
    while (size != 0) {
        if (is_for_the_system) {
            const std::uint64_t sent = co_await stream_.send_file(content, offset, size);
            body_bytes_ += sent;
            offset += sent;
            size -= sent;
            if (size == 0)
                co_return;
        }
        // What the system could not move comes through memory: then it is in the file's cache, and the next
        // may be by now as well.
        if (memory == nullptr)
            memory = std::make_unique_for_overwrite<std::byte[]>(piece_bytes);
        const std::span<std::byte> piece(
            memory.get(), static_cast<std::size_t>(std::min<std::uint64_t>(size, piece_bytes)));
        const std::size_t count = co_await content.read_at(piece, offset);
        if (count == 0) {
            extent_ = extent::incomplete;
            co_return;
        }
        co_await write(piece.first(count));
        offset += count;
        size -= count;
    }
}

task<any_stream> response_writer::upgrade(response_fields fields) {
    EDDY_ASSERT(!has_begun(), "a request is answered once");
    const exchange_parts* const made = stream_.parts_if_any();
    const request_body* const body = made != nullptr && made->body ? &*made->body : nullptr;
    if (request_.framing().kind() != body_kind::none && (body == nullptr || !body->is_at_end()))
        throw request_error(status::bad_request, "a body before a change of protocols");
    status_ = request_.method() == method::connect ? status::ok : status::switching_protocols;
    const response_framing none(body_end::upgrade);
    if (!try_begin(fields, none))
        co_await begin_slowly(field_block(fields), none);
    wants_body_ = false;
    co_await stream_.send({});
    co_return stream_.take_over(body != nullptr ? body->behind() : stream_.arrived());
}

}  // namespace eddy::http
