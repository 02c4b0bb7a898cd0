#include <eddy/http/exchange.hpp>

#include "http/connection.hpp"

#include <eddy/base/assert.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// The write timeout counts for pieces of this size, so that it is about progress, not about size.
constexpr std::size_t piece_bytes_max = 256 * 1024;

}  // namespace

task<void> exchange::begin_answer(status code, std::span<const answer_field> fields, std::uint64_t size) {
    EDDY_ASSERT(!is_answered_, "a request is answered once");
    status_ = code;
    if (!connection_.try_write_head(*this, fields, size)) {
        co_await connection_.send({});
        static_cast<void>(connection_.try_write_head(*this, fields, size));
    }
    is_answered_ = true;
    wants_body_ = request_.method() != method::head && !forbids_body(code);
    body_size_ = wants_body_ ? size : 0;
}

task<void> exchange::write(std::span<const std::byte> piece) {
    EDDY_ASSERT(is_answered_, "an answer is begun before its body");
    if (!wants_body_)
        co_return;
    EDDY_ASSERT(piece.size() <= body_bytes_missing(), "a body is as long as was announced");
    body_bytes_ += piece.size();
    if (connection_.try_append(as_text(piece)))
        co_return;
    while (!piece.empty()) {
        const auto part = piece.first(std::min(piece.size(), piece_bytes_max));
        co_await connection_.send(as_text(part));
        piece = piece.subspan(part.size());
    }
}

task<void> exchange::answer(status code, std::span<const answer_field> fields, std::string_view body) {
    co_await begin_answer(code, fields, body.size());
    co_await write(as_bytes(body));
}

std::int64_t exchange::unix_seconds() const noexcept { return connection_.shared().unix_seconds(); }

}  // namespace eddy::http
