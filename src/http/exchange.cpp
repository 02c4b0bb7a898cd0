#include "http/connection.hpp"

#include <eddy/base/assert.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <utility>

namespace eddy::http {

namespace {

// The write timeout counts for pieces of this size, so that it is about progress, not about size.
constexpr std::size_t piece_bytes_max = 256 * 1024;

}  // namespace

bool exchange::try_begin_answer(const answer_fields& fields, std::uint64_t size) {
    if (!connection_.try_write_head(*this, fields, size))
        return false;
    is_answered_ = true;
    wants_body_ = request_.method() != method::head && !forbids_body(status_);
    body_size_ = wants_body_ ? size : 0;
    return true;
}

prompt_task<> exchange::begin_answer(status code, const answer_fields& fields, std::uint64_t size) {
    EDDY_ASSERT(!is_answered_, "a request is answered once");
    status_ = code;
    if (try_begin_answer(fields, size)) [[likely]]
        return {};
    return begin_answer_slowly(fields, size);
}

task<void> exchange::begin_answer_slowly(answer_fields fields, std::uint64_t size) {
    co_await connection_.send({});
    static_cast<void>(try_begin_answer(fields, size));  // now there is room, or it throws
}

prompt_task<> exchange::write(std::span<const std::byte> piece) {
    EDDY_ASSERT(is_answered_, "an answer is begun before its body");
    if (!wants_body_)
        return {};
    EDDY_ASSERT(piece.size() <= body_bytes_missing(), "a body is as long as was announced");
    body_bytes_ += piece.size();
    if (connection_.try_append(as_text(piece)))
        return {};
    return write_slowly(piece);
}

task<void> exchange::write_slowly(std::span<const std::byte> piece) {
    while (!piece.empty()) {
        const auto part = piece.first(std::min(piece.size(), piece_bytes_max));
        co_await connection_.send(as_text(part));
        piece = piece.subspan(part.size());
    }
}

prompt_task<> exchange::answer(status code, const answer_fields& fields, std::string_view body) {
    prompt_task<> begun = begin_answer(code, fields, body.size());
    if (begun.is_done()) [[likely]]
        return write(as_bytes(body));
    return finish_answer(std::move(begun), body);
}

task<void> exchange::finish_answer(prompt_task<> begun, std::string_view body) {
    co_await std::move(begun);
    co_await write(as_bytes(body));
}

std::int64_t exchange::unix_seconds() const noexcept {
    return connection_.shared().unix_seconds();
}

}  // namespace eddy::http
