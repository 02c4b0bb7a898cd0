#include "http/answer_framing.hpp"
#include "http/characters.hpp"
#include "http/connection.hpp"
#include "http/fronted_stream.hpp"

#include <eddy/base/assert.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/field.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::string_view last_chunk = "0\r\n";
// Below what malloc() takes from the system, and gives back to it, each time.
constexpr std::size_t file_piece_bytes = 120 * 1024;
// A copy of so little costs less than to have the system move it.
constexpr std::uint64_t file_copied_bytes_max = 64 * 1024;
// What a filter takes at once.
constexpr std::size_t filtered_bytes_max = 32 * 1024;
// A filter may take some 30 ns a byte: others go on between its pieces.
constexpr std::size_t filtered_piece_bytes = 32 * 1024;

// RFC 9110 section 6.5.1: what must be known before the body.
bool may_be_trailer(std::string_view name) noexcept {
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

// -- the request --

exchange_parts& exchange::parts() {
    if (parts_ == nullptr)
        parts_ = &connection_.active().parts();
    return *parts_;
}

request_body& exchange::body() {
    exchange_parts& mine = parts();
    if (!mine.body) {
        const std::string_view arrived = connection_.behind_head();
        const bool awaits_continue = request_.expects_continue() && arrived.empty() && !is_answered_;
        mine.body.emplace(connection_, request_.framing(), arrived, awaits_continue);
    }
    return *mine.body;
}

const connection_info& exchange::connection() {
    return connection_.info();
}

path_parameters& exchange::parameters() {
    return parts().parameters;
}

http::attributes& exchange::attributes() {
    return parts().handed_on;
}

std::stop_token exchange::stop_token() const noexcept {
    return connection_.shared().draining.get_token();
}

std::int64_t exchange::unix_seconds() const noexcept {
    return connection_.shared().unix_seconds();
}

// -- the beginning of an answer --

void exchange::add_field(std::string_view name, std::string_view value) {
    EDDY_ASSERT(!is_answered_, "fields are added before the answer begins");
    parts().added.add(name, value);
}

void exchange::filter_answer(std::unique_ptr<answer_filter> filter) {
    EDDY_ASSERT(!is_answered_, "an answer is filtered from its beginning");
    parts().filter = std::move(filter);
}

bool exchange::has_filter() const noexcept {
    return parts_ != nullptr && parts_->filter != nullptr;
}

answer_framing exchange::framing_of(std::optional<std::uint64_t> size) const noexcept {
    using way = answer_framing::way;
    if (size)
        return answer_framing::of_length(*size);
    if (status_ == status::reset_content)
        return answer_framing::of_length(0);
    return answer_framing::by(request_.minor_version() == 0 ? way::closing : way::chunked);
}

bool exchange::try_begin(const answer_fields& fields, const answer_framing& body) {
    if (!connection_.try_write_head(*this, fields, body))
        return false;
    if (parts_ != nullptr && parts_->body)
        parts_->body->note_answer();
    is_answered_ = true;
    wants_body_ = request_.method() != method::head && !forbids_body(status_);
    is_unsized_ = body.told_by() != answer_framing::way::length;
    is_chunked_ = body.told_by() == answer_framing::way::chunked;
    body_size_ = wants_body_ ? body.length() : 0;
    return true;
}

task<void> exchange::begin_slowly(answer_fields fields, answer_framing body) {
    co_await connection_.send({});
    static_cast<void>(try_begin(fields, body));  // now there is room, or it throws
}

prompt_task<> exchange::begin(status code, const answer_fields& fields, std::optional<std::uint64_t> size) {
    EDDY_ASSERT(!is_answered_, "a request is answered once");
    status_ = code;
    if (has_filter()) [[unlikely]] {
        if (ask_filter(fields, size))
            size.reset();
        const answer_fields all(parts_->filtered_lines);
        if (try_begin(all, framing_of(size)))
            return {};
        return begin_slowly(all, framing_of(size));
    }
    if (try_begin(fields, framing_of(size))) [[likely]]
        return {};
    return begin_slowly(fields, framing_of(size));
}

prompt_task<> exchange::begin_answer(status code, const answer_fields& fields, std::uint64_t size) {
    return begin(code, fields, size);
}

prompt_task<> exchange::begin_answer(status code, const answer_fields& fields) {
    return begin(code, fields, std::nullopt);
}

// Gives the fields to the filter, and keeps what it makes of them. Whether it takes part.
bool exchange::ask_filter(const answer_fields& fields, std::optional<std::uint64_t> size) {
    exchange_parts& mine = *parts_;
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
    for (const answer_field& single : fields.single())
        all.add(single.name(), single.value());
    const bool takes_part = mine.filter->begin(status_, all, size);
    mine.filtered_lines.clear();
    for (const field_list::line& line : all)
        mine.filtered_lines.emplace_back(line.name(), line.value());
    has_filtered_fields_ = true;
    is_filtered_ = takes_part;
    return takes_part;
}

// -- whole answers --

bool exchange::try_answer(status code, const answer_fields& fields, std::string_view body) {
    EDDY_ASSERT(!is_answered_, "a request is answered once");
    if (has_filter() || body.size() > connection_.active().room().size())
        return false;
    status_ = code;
    const active_request::mark before = connection_.active().output_mark();
    if (!try_begin(fields, answer_framing::of_length(body.size())))
        return false;
    if (!wants_body_ || connection_.try_append(body)) {
        body_bytes_ = body_size_;
        return true;
    }
    connection_.active().take_back(before);
    is_answered_ = false;
    wants_body_ = false;
    body_size_ = 0;
    return false;
}

prompt_task<> exchange::answer(status code, const answer_fields& fields, std::string_view body) {
    if (has_filter()) [[unlikely]]
        return answer_filtered(code, fields, body);
    prompt_task<> begun = begin(code, fields, body.size());
    if (begun.is_done()) [[likely]]
        return write(as_bytes(body));
    return finish_answer(std::move(begun), body);
}

task<void> exchange::finish_answer(prompt_task<> begun, std::string_view body) {
    co_await std::move(begun);
    co_await write(as_bytes(body));
}

// The whole body is filtered first, so that its size is known.
task<void> exchange::answer_filtered(status code, answer_fields fields, std::string_view body) {
    EDDY_ASSERT(!is_answered_, "a request is answered once");
    status_ = code;
    const bool takes_part = ask_filter(fields, body.size());
    const bool is_sent = request_.method() != method::head && !forbids_body(status_);
    if (takes_part && is_sent) {
        for (std::string_view rest = body; !rest.empty();) {
            const std::string_view part = rest.substr(0, filtered_piece_bytes);
            parts_->filter->append(as_bytes(part), parts_->filtered);
            rest.remove_prefix(part.size());
            if (!rest.empty())
                co_await yield();
        }
        parts_->filter->finish(parts_->filtered);
        body = parts_->filtered;
        is_filtered_ = false;
    }
    const answer_fields all(parts_->filtered_lines);
    const answer_framing framing =
        framing_of(takes_part && !is_sent ? std::nullopt : std::optional<std::uint64_t>(body.size()));
    if (!try_begin(all, framing))
        co_await begin_slowly(all, framing);
    co_await write(as_bytes(body));
}

// -- bodies in pieces --

prompt_task<> exchange::write(std::span<const std::byte> piece) {
    EDDY_ASSERT(is_answered_, "an answer is begun before its body");
    if (!wants_body_)
        return {};
    if (is_unsized_) [[unlikely]]
        return write_coded(piece);
    EDDY_ASSERT(piece.size() <= body_bytes_missing(), "a body is as long as was announced");
    body_bytes_ += piece.size();
    if (connection_.try_append(as_text(piece)))
        return {};
    return connection_.send(as_text(piece));
}

prompt_task<> exchange::write_coded(std::span<const std::byte> piece) {
    if (!is_filtered_)
        return write_out(as_text(piece));
    if (piece.size() > filtered_piece_bytes)
        return write_filtered(piece);
    std::string& filtered = parts_->filtered;
    filtered.clear();
    parts_->filter->append(piece, filtered);
    return write_out(filtered);
}

task<void> exchange::write_filtered(std::span<const std::byte> piece) {
    while (!piece.empty()) {
        const auto part = piece.first(std::min(piece.size(), filtered_piece_bytes));
        co_await write_coded(part);
        piece = piece.subspan(part.size());
        if (!piece.empty())
            co_await yield();
    }
}

// A large piece in parts, between which it is others' turn: filters take time.
task<void> exchange::write_by_and_by(std::span<const std::byte> piece) {
    while (!piece.empty()) {
        const auto part = piece.first(std::min(piece.size(), filtered_bytes_max));
        co_await write_coded(part);
        piece = piece.subspan(part.size());
        co_await yield();
    }
}

// Bytes as they are to arrive, in a chunk where need be.
prompt_task<> exchange::write_out(std::string_view bytes) {
    if (bytes.empty())
        return {};
    body_bytes_ += bytes.size();
    if (is_chunked_ ? connection_.try_append_chunk(bytes) : connection_.try_append(bytes))
        return {};
    if (is_chunked_)
        return write_chunk(bytes);
    return connection_.send(bytes);
}

task<void> exchange::write_chunk(std::string_view bytes) {
    co_await connection_.send({});
    if (connection_.try_append_chunk(bytes))
        co_return;
    connection_.append_chunk_head(bytes.size());
    co_await connection_.send(bytes);
    static_cast<void>(connection_.try_append("\r\n"));
}

prompt_task<> exchange::flush() {
    if (is_filtered_ && wants_body_)
        return flush_filtered();
    if (connection_.has_output())
        return connection_.send({});
    return {};
}

task<void> exchange::flush_filtered() {
    parts_->filtered.clear();
    parts_->filter->flush(parts_->filtered);
    co_await write_out(parts_->filtered);
    co_await connection_.send({});
}

void exchange::add_trailer(std::string_view name, std::string_view value) {
    EDDY_ASSERT(is_answered_ && is_unsized_, "trailers come behind a body of unknown size");
    if (!may_be_trailer(name))
        throw std::invalid_argument("a field that must not come behind a body");
    parts().trailers.add(name, value);
}

task<void> exchange::end_body() {
    if (is_filtered_) {
        parts_->filtered.clear();
        parts_->filter->finish(parts_->filtered);
        co_await write_out(parts_->filtered);
    }
    if (!is_chunked_)
        co_return;
    const std::string_view trailers = parts_ != nullptr ? parts_->trailers.text() : std::string_view();
    for (const std::string_view part : {last_chunk, trailers, std::string_view("\r\n")})
        if (!connection_.try_append(part))
            co_await connection_.send(part);
}

// -- files and upgrades --

task<void> exchange::answer_file(status code, answer_fields fields, const file& content, std::uint64_t offset,
                                 std::uint64_t size) {
    co_await begin(code, fields, size);
    if (!wants_body_)
        co_return;
    const bool is_for_the_system =
        size > file_copied_bytes_max && !is_unsized_ && connection_.can_send_file();
    std::unique_ptr<std::byte[]> memory;
    const std::size_t piece_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, file_piece_bytes));
    while (size != 0) {
        if (is_for_the_system) {
            const std::uint64_t sent = co_await connection_.send_file(content, offset, size);
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
            is_incomplete_ = true;
            co_return;
        }
        co_await write(piece.first(count));
        offset += count;
        size -= count;
    }
}

task<any_stream> exchange::upgrade(answer_fields fields) {
    EDDY_ASSERT(!is_answered_, "a request is answered once");
    if (request_.framing().kind() != body_kind::none && !body().is_at_end())
        throw request_error(status::bad_request, "a body before a change of protocols");
    status_ = request_.method() == method::connect ? status::ok : status::switching_protocols;
    const answer_framing none = answer_framing::by(answer_framing::way::upgrade);
    if (!try_begin(fields, none))
        co_await begin_slowly(fields, none);
    wants_body_ = false;
    co_await connection_.send({});
    std::string front(parts_ != nullptr && parts_->body ? parts_->body->behind() : connection_.behind_head());
    any_stream stream = connection_.hand_over();
    if (front.empty())
        co_return stream;
    co_return any_stream(fronted_stream(std::move(front), std::move(stream)));
}

}  // namespace eddy::http
