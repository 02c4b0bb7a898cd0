#include "http/client/client_exchange.hpp"

#include "http/client/fail.hpp"
#include "http/message/characters.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/message/detail/content_coding.hpp>
#include <eddy/http/message/http_error.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace eddy::http {
namespace {

constexpr std::size_t decoded_piece_max = 16 * 1024;
// How long a server has to say 100 Continue (RFC 9110 section 10.1.1 leaves it open).
constexpr auto go_ahead_time = std::chrono::seconds(1);

// The coding to decode; identity where there is none, or one that is passed on as it is. Two codings, one
// upon the other, were not requested.
content_coding coding_of(const response_head& head) {
    content_coding only = content_coding::identity;
    std::size_t count = 0;
    head.for_each(field::content_encoding, [&](std::string_view line) {
        while (!line.empty()) {
            const auto name = take_element(line);
            const auto coding = content_coding_from(name);
            if (name.empty() || coding == content_coding::identity)
                continue;
            ++count;
            only = coding.value_or(content_coding::identity);
        }
    });
    if (count > 1)
        fail(http_error::malformed_content, "encoded more than once");
    return only;
}

}  // namespace

client_exchange::client_exchange(std::shared_ptr<client_pool> pool, carrier_handle carrier,
                                 client_request request, std::string head, time_point end)
    : pool_(std::move(pool)),
      carrier_(std::move(carrier)),
      request_(std::move(request)),
      outgoing_(std::move(head)) {
    waits_.end(end);
}

task<> client_exchange::ask() {
    const client_options& options = pool_->options();
    waits_.first_byte(options.first_byte_time()).idle(options.idle_time());
    const outgoing_body& body = request_.body();
    const bool is_small = !body.is_stream() && !request_.expects_continue() &&
                          body.bytes().size() <= carrier_->small_body_max();
    // Chosen outside of the await, which g++ 12 needs.
    const std::string_view along = is_small ? body.bytes() : std::string_view();
    const outgoing_head head{.text = outgoing_,
                             .method = request_.method(),
                             .is_secure = request_.url().is_secure(),
                             .body_size = body.size()};
    write_error_ = co_await carrier_->send_head(head, along, is_small, waits_);
    if (write_error_ == std::errc::timed_out)
        throw std::system_error(write_error_);
    is_sent_ = is_small && !write_error_;
    if (!is_small && !write_error_) {
        carrier_->set_sending(true);
        sender_ = spawn(send_body(), "body of a request");
    }
    // A server that refuses a request may close its side while the request is still coming: its response
    // counts.
    try {
        co_await read_head();
    } catch (...) {
        if (body_error_)
            std::rethrow_exception(body_error_);
        throw;
    }
    keep_head();
}

task<> client_exchange::send_body() {
    if (request_.expects_continue())
        static_cast<void>(co_await as_result(with_timeout(go_ahead_.wait(), go_ahead_time)));
    try {
        write_error_ = co_await send_pieces();
    } catch (...) {
        // The reader of the response rethrows what the body has thrown.
        body_error_ = std::current_exception();
        carrier_->close();
    }
    carrier_->set_sending(false);
    if (write_error_)
        request_.content(outgoing_body());  // what makes it need not go on
    is_sent_ = !write_error_ && !body_error_;
    if (write_error_ == std::errc::timed_out) {
        body_error_ = std::make_exception_ptr(std::system_error(write_error_));
        carrier_->close();
    }
}

task<std::error_code> client_exchange::send_pieces() {
    const outgoing_body& body = request_.body();
    if (!body.is_stream()) {
        const std::error_code error = co_await carrier_->send(as_bytes(body.bytes()));
        if (error)
            co_return error;
        co_return co_await carrier_->end_body();
    }
    std::uint64_t left = body.size().value_or(0);
    for (;;) {
        has_taken_of_stream_ = true;
        const std::optional<std::span<const std::byte>> piece = co_await body.stream().next();
        if (!piece)
            break;
        if (piece->empty())
            continue;
        if (body.size() && piece->size() > left)
            fail(http_error::body_size_wrong);
        left -= body.size() ? piece->size() : 0;
        const std::error_code error = co_await carrier_->send(*piece);
        if (error)
            co_return error;
    }
    if (left != 0)
        fail(http_error::body_size_wrong);
    co_return co_await carrier_->end_body();
}

task<> client_exchange::read_head() {
    for (unsigned interim = 0; interim < interim_responses_max; ++interim) {
        const response_head response = co_await carrier_->read_head();
        if (!is_interim(response.status()) || response.status() == status::switching_protocols)
            co_return;
        if (response.status() == status::continue_request)
            go_ahead_.set();
    }
    fail(http_error::malformed_response, "too many interim answers");
}

void client_exchange::keep_head() {
    head_bytes_ = carrier_->head_bytes();
    layout_ = carrier_->head_layout();
    if (sender_ && request_.expects_continue() && !go_ahead_.is_set())
        sender_.cancel();  // the server does not want the body
    prepare_decoder();
    if (carrier_->is_over() && head().status() != status::switching_protocols &&
        request_.method() != method::connect)
        end();
}

void client_exchange::prepare_decoder() {
    if (!pool_->options().decompress() || request_.has_field("Accept-Encoding") || carrier_->is_over())
        return;
    const auto coding = coding_of(head());
    if (coding == content_coding::identity)
        return;
    decoder_.emplace(coding, pool_->options().decoding());
    room_ = std::make_unique_for_overwrite<std::byte[]>(decoded_piece_max);
}

any_stream client_exchange::take_stream() {
    any_stream stream = carrier_->take_stream();
    carrier_.reset();
    return stream;
}

task<> client_exchange::fill() {
    while (pending_.empty() && !is_over_) {
        if (decoder_ && (!encoded_.empty() || decoder_->has_more())) {
            decode();
            continue;
        }
        const auto raw = co_await read_raw();
        if (raw.empty()) {
            finish_decoding();
            end();
        } else {
            (decoder_ ? encoded_ : pending_) = raw;
        }
    }
}

task<std::span<const std::byte>> client_exchange::read_raw() {
    try {
        co_return co_await carrier_->read_body();
    } catch (...) {
        if (body_error_)
            std::rethrow_exception(body_error_);
        throw;
    }
}

void client_exchange::decode() {
    const decode_step step = decoder_->decode(encoded_, std::span(room_.get(), decoded_piece_max));
    if (step.error() != decode_error::none) {
        close();
        const bool is_too_large =
            step.error() == decode_error::too_large || step.error() == decode_error::expands;
        fail(is_too_large ? http_error::body_too_large : http_error::malformed_content,
             to_string(step.error()));
    }
    encoded_ = encoded_.subspan(step.consumed());
    pending_ = std::span<const std::byte>(room_.get(), step.produced());
}

void client_exchange::finish_decoding() {
    if (decoder_ && decoder_->finish() != decode_error::none) {
        close();
        fail(http_error::malformed_content, "the encoded body is not whole");
    }
}

void client_exchange::take(std::size_t count) {
    pending_ = pending_.subspan(count);
    if (pending_.empty() && !decoder_ && !is_over_ && carrier_->is_over())
        end();
}

void client_exchange::end() {
    is_over_ = true;
    trailers_ = carrier_->trailers();
    if (carrier_->can_be_used_again() && is_sent_)
        carrier_.release()->give_back();
}

std::optional<std::uint64_t> client_exchange::size() const noexcept {
    const body_framing framing = layout_.framing;
    if (decoder_ || (framing.kind() != body_kind::none && framing.kind() != body_kind::length))
        return std::nullopt;
    return framing.length();
}

void client_exchange::close() {
    if (carrier_)
        carrier_->close();
}

}  // namespace eddy::http
