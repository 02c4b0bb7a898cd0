#include "http/server/server_state.hpp"

#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// How much is gathered into one lease where chunks have to be taken out of their framing.
constexpr std::size_t lease_bytes_max = 65'536;
constexpr std::size_t reserved_bytes_max = 1 << 20;
constexpr std::size_t direct_bytes_min = 16'384;

}  // namespace

request_body::request_body(exchange_stream& stream, body_framing framing, std::string_view arrived,
                           bool awaits_continue)
    : stream_(stream),
      framing_(framing),
      front_(arrived),
      decoder_(stream.shared().options.limits()),
      left_(framing.length()),
      awaits_continue_(awaits_continue),
      ends_with_stream_(stream.spoken() != exchange_stream::protocol::http_1),
      is_at_end_(framing.kind() == body_kind::none) {}

std::optional<std::uint64_t> request_body::size() const noexcept {
    if (framing_.kind() == body_kind::chunked || framing_.kind() == body_kind::until_close)
        return std::nullopt;
    return framing_.length();
}

std::string_view request_body::waiting() const noexcept {
    return front_.empty() ? as_text(lease_.bytes()) : front_;
}

void request_body::consume(std::size_t count) noexcept {
    if (front_.empty())
        lease_.remove_prefix(count);
    else
        front_.remove_prefix(count);
}

// Looks for bytes of the body in what has arrived. False if more must arrive first.
bool request_body::find_piece() {
    if (has_failed_)
        throw request_error(error_.status(), std::string(error_.reason()));
    if (!piece_.empty() || is_at_end_)
        return true;
    if (framing_.length() > bytes_max_)
        fail({status::content_too_large, "body over the limit"});
    if (framing_.kind() == body_kind::chunked)
        return find_in_chunks();
    if (ends_with_stream_)
        return find_in_stream();
    piece_ = waiting().substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, waiting().size())));
    consume(piece_.size());
    left_ -= piece_.size();
    is_at_end_ = left_ == 0 && piece_.empty();
    return !piece_.empty() || is_at_end_;
}

bool request_body::find_in_chunks() {
    for (;;) {
        const chunk_result found = decoder_.decode(waiting());
        switch (found.event()) {
            case chunk_event::error:
                fail(found.error());
            case chunk_event::need_more:
                consume(found.consumed());
                return false;
            case chunk_event::trailer:
                trailers_.add(found.trailer_name(), found.trailer_value());
                consume(found.consumed());
                break;
            case chunk_event::data:
                piece_ = found.data();
                consume(found.consumed());
                if (decoder_.body_size() > bytes_max_)
                    fail({status::content_too_large, "body over the limit"});
                return true;
            case chunk_event::complete:
                consume(found.consumed());
                is_at_end_ = true;
                return true;
        }
    }
}

std::uint64_t request_body::stream_bytes_max() const noexcept {
    return is_unlimited_ ? bytes_max_
                         : std::min(bytes_max_, stream_.shared().options.limits().body_bytes_max());
}

// A length that was announced has been checked by the protocol.
bool request_body::find_in_stream() {
    piece_ = waiting();
    consume(piece_.size());
    left_ -= std::min<std::uint64_t>(left_, piece_.size());
    if (bytes_read_ + piece_.size() > stream_bytes_max())
        fail({status::content_too_large, "body over the limit"});
    is_at_end_ = has_stream_ended_ && piece_.empty();
    if (is_at_end_)
        stream_.add_trailers(trailers_);
    return !piece_.empty() || is_at_end_;
}

std::size_t request_body::take(std::span<std::byte> out) noexcept {
    const std::size_t count = std::min(out.size(), piece_.size());
    if (count != 0)
        std::memcpy(out.data(), piece_.data(), count);
    piece_.remove_prefix(count);
    bytes_read_ += count;
    return count;
}

ready_or_task<std::size_t> request_body::read(std::span<std::byte> out) {
    if (find_piece())
        return take(out);
    return read_slowly(out);
}

task<std::size_t> request_body::read_slowly(std::span<std::byte> out) {
    while (!find_piece())
        co_await receive();
    co_return take(out);
}

task<buffer_lease> request_body::read_leased() {
    for (;;) {
        if (is_next_all_of_the_lease()) {
            left_ -= std::min<std::uint64_t>(left_, lease_.size());
            bytes_read_ += lease_.size();
            is_at_end_ = left_ == 0 && !ends_with_stream_;
            co_return std::exchange(lease_, {});
        }
        if (find_piece())
            co_return take_lease();
        co_await receive();
    }
}

// Whether what has arrived can be handed on as it is.
bool request_body::is_next_all_of_the_lease() const noexcept {
    if (has_failed_ || !piece_.empty() || !front_.empty() || lease_.empty())
        return false;
    if (ends_with_stream_)
        return bytes_read_ + lease_.size() <= stream_bytes_max() && framing_.length() <= bytes_max_;
    return framing_.kind() == body_kind::length && lease_.size() <= left_ && framing_.length() <= bytes_max_;
}

// Copies the pieces that have arrived out of their framing. Requires: find_piece() has returned true.
buffer_lease request_body::take_lease() {
    if (piece_.empty())
        return {};
    const std::size_t room = std::min(lease_bytes_max, piece_.size() + waiting().size());
    auto memory = std::make_unique_for_overwrite<std::byte[]>(room);
    std::size_t count = take({memory.get(), room});
    try {
        while (count < room && find_piece() && !piece_.empty())
            count += take({memory.get() + count, room - count});
    } catch (const request_error&) {
        // What came before is returned first; the next read reports the error.
    }
    return buffer_lease(std::move(memory), 0, static_cast<std::uint32_t>(count));
}

task<std::string> request_body::read_all(std::size_t bytes_max) {
    limit(std::min<std::uint64_t>(bytes_max_, bytes_max));
    std::string all;
    all.reserve(std::min<std::uint64_t>({framing_.length(), bytes_max, reserved_bytes_max}));
    for (;;) {
        while (!find_piece())
            co_await receive();
        if (piece_.empty())
            co_return all;
        all.append(piece_);
        bytes_read_ += std::exchange(piece_, {}).size();
        if (framing_.kind() == body_kind::length && !ends_with_stream_ && left_ >= direct_bytes_min &&
            waiting().empty())
            receive_into(all);
    }
}

// Lets the system put what has arrived where it belongs, and not into buffers first.
void request_body::receive_into(std::string& all) {
    const std::size_t begin = all.size();
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(left_, all.capacity() - begin));
    if (room < direct_bytes_min)
        return;
    std::size_t count = 0;
    all.resize_and_overwrite(begin + room, [&](char* at, std::size_t) {
        count = stream_.try_receive(std::as_writable_bytes(std::span(at + begin, room)));
        return begin + count;
    });
    left_ -= count;
    bytes_read_ += count;
    bytes_received_ += count;
    stream_.shared().counts.bytes_received += count;
}

task<bool> request_body::discard() {
    const std::uint64_t bytes_max = stream_.shared().options.limits().body_bytes_max();
    std::uint64_t discarded = 0;
    is_unlimited_ = false;
    bytes_max_ = std::numeric_limits<std::uint64_t>::max();
    try {
        for (;;) {
            while (!find_piece()) {
                if (left_ > bytes_max || discarded > bytes_max)
                    co_return false;
                co_await receive();
            }
            if (piece_.empty())
                co_return true;
            discarded += std::exchange(piece_, {}).size();
        }
    } catch (const request_error&) {
        co_return false;
    }
}

// When the wait that begins now must end: for the next piece, for the rate so far, for all of it. What was
// waited before is as if this wait had begun by that much earlier.
time_point request_body::deadline(time_point now) const noexcept {
    using eddy::detail::deadline_after;
    if (is_unlimited_)
        return time_point::max();
    const server_options& options = stream_.shared().options;
    const time_point began = now - waited_;
    time_point end = deadline_after(now, options.body_timeout());
    if (const std::uint64_t rate = options.body_rate_min_bytes_per_s(); rate != 0) {
        const std::chrono::duration<std::uint64_t> earned(bytes_received_ / rate);
        end = std::min(end, deadline_after(deadline_after(began, options.body_timeout()), earned));
    }
    return std::min(end, deadline_after(began, options.body_duration_max()));
}

task<void> request_body::receive() {
    stream_.flush_before_wait(std::exchange(awaits_continue_, false));
    eddy::detail::worker_core& home = stream_.shared().home;
    const time_point began = home.turn_time();
    auto arrived = co_await stream_.receive_until(deadline(began));
    waited_ += home.turn_time() - began;
    if (!arrived) {
        if (arrived.error() == std::errc::timed_out)
            fail({status::request_timeout, "the body took too long"});
        has_failed_ = true;
        throw std::system_error(arrived.error(), "reading a request's body");
    }
    if (arrived->empty()) {
        if (!ends_with_stream_)
            fail({status::bad_request, "the body ended early"});
        has_stream_ended_ = true;
        co_return;
    }
    bytes_received_ += arrived->size();
    stream_.shared().counts.bytes_received += arrived->size();
    if (waiting().empty()) {
        front_ = {};
        lease_ = *std::exchange(arrived, {});
    } else {
        // A line of trailers that is not complete must stay in one piece.
        std::string joined(waiting());
        joined.append(as_text(arrived->bytes()));
        lease_ = {};
        joined_ = std::move(joined);
        front_ = joined_;
    }
}

void request_body::fail(const message_error& error) {
    has_failed_ = true;
    error_ = error;
    throw request_error(error.status(), std::string(error.reason()));
}

}  // namespace eddy::http
