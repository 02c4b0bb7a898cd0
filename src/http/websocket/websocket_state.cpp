#include "http/websocket/websocket_state.hpp"

#include "http/message/string_memory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>

#include <array>
#include <stdexcept>
#include <utility>

namespace eddy::http {

namespace {

// After the closing handshake so much is read and thrown away until the stream ends.
constexpr std::size_t lingering_bytes_max = 1024 * 1024;
// Pings are left unanswered while so many bytes of responses wait to be written (RFC 6455 section 5.5.3
// allows to answer the latest only).
constexpr std::size_t unanswered_bytes_max = 16 * 1024;

/// What a lease lends is its holder's alone, and is unmasked in place.
std::span<std::byte> own_bytes(buffer_lease& lease) noexcept {
    return {const_cast<std::byte*>(lease.bytes().data()), lease.size()};
}

}  // namespace

websocket_state::settings::settings(const websocket_options& options) noexcept
    : frame_bytes_max(options.frame_bytes_max()),
      ping_interval(options.ping_interval() > duration::zero() ? options.ping_interval() : duration::max()),
      pong_timeout(options.pong_timeout()),
      close_timeout(options.close_timeout()),
      deflate(options.deflate().value_or(deflate_options())),
      checks_sent_text(options.checks_sent_text()) {}

websocket_state::websocket_state(any_stream stream, websocket_role role, const websocket_options& options,
                                 const websocket_agreement& agreed, buffer_lease arrived)
    : home_(eddy::detail::worker_core::current()),
      stream_(std::move(stream)),
      settings_(options),
      agreement_(agreed),
      decoder_(role, options.message_bytes_max(), agreed.deflate()),
      lease_(std::move(arrived)),
      role_(role),
      writer_(stream_, role, options.send_buffer_bytes(), options.write_timeout()) {
    silence_.arm(home_, settings_.ping_interval);
}

websocket_state::~websocket_state() {
    EDDY_ASSERT(!is_read_, "a websocket outlives the task that receives");
}

// -- receiving --

/// Marks the task that receives. Others wait until it is destroyed.
class websocket_state::reader_place {
public:
    reader_place(websocket_state& read, bool is_discarding) noexcept : state_(read) {
        state_.is_read_ = true;
        state_.is_discarding_ = is_discarding;
    }
    reader_place(const reader_place&) = delete;
    reader_place& operator=(const reader_place&) = delete;
    ~reader_place() {
        state_.is_read_ = false;
        state_.is_discarding_ = false;
        state_.reader_left_.set();
    }

private:
    websocket_state& state_;
};

bool websocket_state::advance(bool is_whole) {
    if (found_ != found::nothing || phase_ == phase::ended)
        return true;
    if (is_read_ && !is_discarding_ && phase_ == phase::open && lease_.empty())
        return false;
    begin_receive();
    try {
        return phase_ == phase::open && decode_arrived(is_whole);
    } catch (...) {
        // Memory is out, and how far the decoder has come is not known.
        cut(std::make_error_code(std::errc::not_enough_memory));
        throw;
    }
}

/// What was taken last is not looked at any more.
void websocket_state::begin_receive() noexcept {
    if (!is_view_out_ || is_discarding_)
        return;
    is_view_out_ = false;
    is_retained_ = false;
    retained_ = {};
    assembly_.clear();
}

bool websocket_state::decode_arrived(bool is_whole) {
    std::string unwanted;
    for (;;) {
        unwanted.clear();
        const decoded_bytes event = is_discarding_ ? decoder_.decode(own_bytes(lease_), unwanted)
                                                   : decoder_.decode(own_bytes(lease_), assembly_, is_whole);
        lease_.remove_prefix(event.consumed());
        if (event.event() == decoded_event::piece) {
            if (!is_discarding_ && take_piece_of(event, is_whole))
                return true;
        } else if (event.event() == decoded_event::need_more) {
            drop_lease();
            if (!is_view_out_ && assembly_.empty())
                clear_keeping(assembly_, 0);
            return false;
        } else {
            take_event(event);
            if (phase_ != phase::open)
                return phase_ == phase::ended;
        }
    }
}

/// True if there is something to return.
bool websocket_state::take_piece_of(const decoded_bytes& piece, bool is_whole) {
    found_kind_ = piece.kind();
    found_last_ = piece.is_last();
    if (!is_whole || (piece.is_first() && piece.is_last())) {
        found_bytes_ = piece.payload();
        found_ = is_whole ? found::message : found::piece;
        return true;
    }
    if (!piece.is_last())
        return false;
    found_bytes_ = as_bytes(assembly_);
    found_ = found::message;
    return true;
}

void websocket_state::take_event(const decoded_bytes& event) {
    switch (event.event()) {
        case decoded_event::ping:
            if (!is_close_sent_ && !writer_.failure() && writer_.urgent_bytes() < unanswered_bytes_max)
                writer_.append_urgent(websocket_opcode::pong, event.payload());
            return;
        case decoded_event::close:
            return on_close(event);
        case decoded_event::error:
            return fail(event.error(), event.reason());
        default:
            return;  // a pong: that something was heard has been noted
    }
}

void websocket_state::drop_lease() noexcept {
    // What has been read of it was the view's, or comes behind.
    if (is_view_out_ && is_discarding_ && !std::exchange(is_retained_, true))
        retained_ = std::move(lease_);
    lease_ = {};
}

task<> websocket_state::read_more(bool is_whole) {
    // Another reader is close(), which reads until the end.
    while (is_read_) {
        reader_left_.reset();
        co_await reader_left_.wait();
    }
    const reader_place here(*this, false);
    while (!advance(is_whole)) {
        if (phase_ == phase::ending)
            co_await end_connection();
        else
            take_arrived(co_await as_result(stream_.read_leased()));
    }
}

void websocket_state::take_arrived(std::expected<buffer_lease, std::error_code> arrived) noexcept {
    if (phase_ == phase::ended)
        return;
    if (arrived && !arrived->empty()) {
        lease_ = std::move(*arrived);
        note_heard();
        return;
    }
    // After close() a peer that leaves without a response is no error.
    std::error_code why;
    if (writer_.failure() == websocket_error::peer_is_silent)
        why = writer_.failure();
    else if (!is_close_sent_)
        why = arrived ? make_error_code(websocket_error::connection_lost) : arrived.error();
    cut(why);
}

/// RFC 6455 section 7.1.1: the server ends the stream first, and what the client still sends is read, so that
/// the last frames are not lost to a reset.
task<> websocket_state::end_connection() {
    co_await writer_.wait_until_written();
    if (phase_ == phase::ending && !writer_.failure() && (role_ == websocket_role::server || failure_)) {
        const auto ended = co_await as_result(stream_.shutdown());
        if (!ended)
            finish();
    }
    for (std::size_t discarded = 0; phase_ == phase::ending && discarded < lingering_bytes_max;) {
        const auto arrived = co_await as_result(stream_.read_leased());
        if (!arrived || arrived->empty())
            break;
        discarded += arrived->size();
    }
    finish();
}

void websocket_state::note_end() const {
    if (failure_)
        throw std::system_error(failure_, failure_reason_.empty() ? "websocket" : failure_reason_);
}

std::optional<websocket_message> websocket_state::take_message() {
    if (std::exchange(found_, found::nothing) == found::nothing)
        return note_end(), std::nullopt;
    is_view_out_ = true;
    if (found_bytes_.data() == as_bytes(assembly_).data() && !found_bytes_.empty())
        return websocket_message(found_kind_, std::exchange(assembly_, {}));
    return websocket_message(found_kind_, std::string(as_text(found_bytes_)));
}

std::optional<websocket_message_view> websocket_state::take_view() {
    if (std::exchange(found_, found::nothing) == found::nothing)
        return note_end(), std::nullopt;
    is_view_out_ = true;
    return websocket_message_view(found_kind_, found_bytes_);
}

std::optional<websocket_piece> websocket_state::take_piece() {
    if (std::exchange(found_, found::nothing) == found::nothing)
        return note_end(), std::nullopt;
    is_view_out_ = true;
    return websocket_piece(found_kind_, found_bytes_, found_last_);
}

// -- the end --

void websocket_state::on_close(const decoded_bytes& closing) {
    peer_code_ = closing.code();
    peer_reason_ = as_text(closing.payload());
    if (!is_close_sent_ && !writer_.failure())
        append_close(peer_code_, {});
    begin_ending();
}

void websocket_state::fail(websocket_error error, std::string_view reason) {
    failure_ = error;
    failure_reason_ = reason;
    if (!is_close_sent_ && !writer_.failure())
        append_close(close_code_for(error), reason);
    begin_ending();
}

void websocket_state::begin_ending() noexcept {
    phase_ = phase::ending;
    drop_lease();
    silence_.disarm();
    if (!slow_close_.is_armed())
        slow_close_.arm(home_, settings_.close_timeout);
    writer_.room().set();
}

void websocket_state::cut(std::error_code why) noexcept {
    if (!failure_)
        failure_ = why;
    finish();
}

void websocket_state::finish() noexcept {
    if (phase_ == phase::ended)
        return;
    phase_ = phase::ended;
    silence_.disarm();
    slow_close_.disarm();
    stream_.close();
    writer_.room().set();
    reader_left_.set();
}

task<> websocket_state::close(websocket_close_code code, std::string reason) {
    if (is_open()) {
        append_close(code, reason);
        slow_close_.arm(home_, settings_.close_timeout);
        writer_.room().set();
    }
    while (phase_ != phase::ended) {
        if (is_read_) {
            reader_left_.reset();
            co_await reader_left_.wait();
            continue;
        }
        const reader_place here(*this, true);
        found_ = found::nothing;
        while (!advance(true)) {
            if (phase_ == phase::ending)
                co_await end_connection();
            else
                take_arrived(co_await as_result(stream_.read_leased()));
        }
    }
}

// -- alarms --

void websocket_state::note_heard() noexcept {
    has_heard_ = !is_pong_awaited_;
    if (std::exchange(is_pong_awaited_, false))
        silence_.arm(home_, settings_.ping_interval);
}

void websocket_state::on_silence() noexcept {
    if (std::exchange(has_heard_, false))
        return silence_.arm(home_, settings_.ping_interval);
    // Unless a task receives, a pong cannot arrive.
    if (is_pong_awaited_ && is_read_)
        return cut(websocket_error::peer_is_silent);
    try {
        if (!is_pong_awaited_ && !is_close_sent_ && !writer_.failure())
            writer_.append_urgent(websocket_opcode::ping, {});
    } catch (...) {
        return cut(std::make_error_code(std::errc::not_enough_memory));
    }
    is_pong_awaited_ = settings_.pong_timeout != duration::max() && is_read_;
    silence_.arm(home_, is_pong_awaited_ ? settings_.pong_timeout : settings_.ping_interval);
}

void websocket_state::on_slow_close() noexcept {
    finish();
}

// -- sending --

void websocket_state::check_may_send() const {
    if (failure_)
        throw std::system_error(failure_, "sending a message");
    if (writer_.failure())
        throw std::system_error(writer_.failure(), "sending a message");
    if (!is_open())
        throw std::system_error(websocket_error::closed, "sending a message");
}

bool websocket_state::try_send(message_kind kind, std::span<const std::byte> payload,
                               websocket_message* owned) {
    if (settings_.checks_sent_text && kind == message_kind::text &&
        !is_utf8(owned != nullptr ? owned->bytes() : payload))
        throw std::invalid_argument("a text message is UTF-8");
    check_may_send();
    if (!writer_.has_room() || turn_.is_locked())
        return false;
    send(kind, payload, owned);
    return true;
}

task<> websocket_state::wait_for_room() {
    check_may_send();
    while (!writer_.has_room()) {
        writer_.room().reset();
        co_await writer_.room().wait();
        check_may_send();
    }
}

void websocket_state::send(message_kind kind, std::span<const std::byte> payload, websocket_message* owned) {
    if (owned != nullptr)
        payload = owned->bytes();
    const auto code = kind == message_kind::text ? websocket_opcode::text : websocket_opcode::binary;
    const bool is_compressed = compresses(payload.size());
    if (is_compressed)
        return append_frames(code, as_bytes(deflated(payload, true)), true, true);
    const bool is_one_frame = settings_.frame_bytes_max == 0 || payload.size() <= settings_.frame_bytes_max;
    if (owned == nullptr || !is_one_frame)
        return append_frames(code, payload, false, true);
    websocket_frame_header header(code, payload.size());
    writer_.append(header, std::move(*owned).take());
}

void websocket_state::send_piece(message_kind kind, std::span<const std::byte> piece, bool is_first,
                                 bool is_last) {
    check_may_send();
    auto code = websocket_opcode::continuation;
    if (is_first)
        code = kind == message_kind::text ? websocket_opcode::text : websocket_opcode::binary;
    if (!compresses(settings_.deflate.message_bytes_min()))
        return append_frames(code, piece, false, is_last);
    append_frames(code, as_bytes(deflated(piece, is_last)), is_first, is_last);
}

void websocket_state::abandon_message() noexcept {
    if (!is_open() || writer_.failure())
        return;
    if (!failure_)
        failure_ = websocket_error::message_unfinished;
    try {
        append_close(websocket_close_code::internal_error, {});
        slow_close_.arm(home_, settings_.close_timeout);
        writer_.room().set();
    } catch (...) {
        finish();
    }
}

void websocket_state::ping(std::span<const std::byte> payload) {
    check_may_send();
    writer_.append_urgent(websocket_opcode::ping, payload);
}

bool websocket_state::compresses(std::size_t payload_bytes) const noexcept {
    const auto& agreed = agreement_.deflate();
    if (!agreed || payload_bytes < settings_.deflate.message_bytes_min())
        return false;
    return message_deflater::can_deflate(role_ == websocket_role::server ? agreed->server_window_bits()
                                                                         : agreed->client_window_bits());
}

/// The result is valid until the next call on this thread.
std::string& websocket_state::deflated(std::span<const std::byte> piece, bool is_last) {
    static thread_local std::string made;
    constexpr std::size_t kept_bytes_max = 64 * 1024;
    clear_keeping(made, kept_bytes_max);
    const bool is_server = role_ == websocket_role::server;
    const deflate_parameters& agreed = *agreement_.deflate();
    if (!deflater_)
        deflater_ = std::make_unique<message_deflater>(
            is_server ? agreed.server_window_bits() : agreed.client_window_bits(), settings_.deflate);
    deflater_->deflate(piece, is_last, made);
    if (is_last && (is_server ? agreed.server_no_context_takeover() : agreed.client_no_context_takeover()))
        deflater_.reset();
    return made;
}

void websocket_state::append_frames(websocket_opcode code, std::span<const std::byte> payload,
                                    bool is_compressed, bool is_last) {
    const std::size_t frame_max = settings_.frame_bytes_max;
    while (frame_max != 0 && payload.size() > frame_max) {
        writer_.append(websocket_frame_header(code, frame_max).final(false).compressed(is_compressed),
                       payload.first(frame_max));
        payload = payload.subspan(frame_max);
        code = websocket_opcode::continuation;
        is_compressed = false;
    }
    writer_.append(websocket_frame_header(code, payload.size()).final(is_last).compressed(is_compressed),
                   payload);
}

/// Behind all that was sent before. Throws std::bad_alloc.
void websocket_state::append_close(websocket_close_code code, std::string_view reason) {
    std::array<std::byte, 125> payload;
    std::size_t size = 0;
    if (code != websocket_close_code::none) {
        payload[0] = static_cast<std::byte>(to_number(code) >> 8);
        payload[1] = static_cast<std::byte>(to_number(code) & 0xff);
        reason = reason.substr(0, payload.size() - 2);
        std::ranges::copy(as_bytes(reason), payload.begin() + 2);
        size = 2 + reason.size();
    }
    writer_.append(websocket_frame_header(websocket_opcode::close, size), std::span(payload).first(size));
    is_close_sent_ = true;
}

task<> websocket_state::flush() {
    co_await writer_.wait_until_written();
    if (writer_.failure())
        throw std::system_error(writer_.failure(), "sending messages");
}

}  // namespace eddy::http
