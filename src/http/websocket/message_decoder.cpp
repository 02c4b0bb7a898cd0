#include "http/websocket/message_inflater.hpp"

#include <eddy/http/websocket/detail/message_decoder.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// Of what a header announces so much room is made before it comes.
constexpr std::uint64_t announced_bytes_max = 65'536;
// How much is inflated at a time.
constexpr std::size_t inflated_bytes = 16'384;

message_kind kind_of(websocket_opcode code) noexcept {
    return code == websocket_opcode::text ? message_kind::text : message_kind::binary;
}

/// Data that cannot be made smaller becomes a little larger.
std::uint64_t compressed_bytes_max(std::uint64_t message_bytes_max) noexcept {
    const std::uint64_t more = message_bytes_max / 1024 + 1024;
    return message_bytes_max > ~more ? ~std::uint64_t{0} : message_bytes_max + more;
}

}  // namespace

message_decoder::message_decoder(websocket_role receiver, std::uint64_t message_bytes_max,
                                 const std::optional<deflate_parameters>& deflate)
    : message_bytes_max_(message_bytes_max), deflate_(deflate), receiver_(receiver) {}

message_decoder::~message_decoder() = default;

decoded_bytes message_decoder::decode(std::span<std::byte> bytes, std::string& gathered,
                                      bool gathers_pieces) {
    if (has_failed_)
        return decoded_bytes::wrong(0, websocket_error::protocol_violated, "nothing follows an error");
    std::size_t consumed = 0;
    for (;;) {
        if (!is_in_frame_) {
            if (auto found = read_header(bytes, consumed))
                return *found;
        }
        if (is_control_frame())
            return read_control(bytes.subspan(consumed), consumed);
        auto found = is_compressed_ ? read_compressed(bytes, consumed, gathered)
                                    : read_data(bytes, consumed, gathers_pieces ? &gathered : nullptr);
        if (found)
            return *found;
    }
}

/// Returns an event, or nothing: a frame has begun.
std::optional<decoded_bytes> message_decoder::read_header(byte_span bytes, std::size_t& consumed) {
    const byte_span there = bytes.subspan(consumed);
    const bool may_be_compressed = deflate_.has_value();
    frame_parse_result parsed =
        kept_bytes_ == 0 ? parse_frame_header(there, receiver_, may_be_compressed) : frame_parse_result();
    if (parsed.state() == frame_parse_state::complete) [[likely]] {
        consumed += parsed.size();
    } else if (parsed.state() == frame_parse_state::need_more) {
        const std::size_t before = kept_bytes_;
        const std::size_t taken = std::min(websocket_frame_header::size_max - before, there.size());
        std::copy_n(there.begin(), taken, kept_.begin() + static_cast<std::ptrdiff_t>(before));
        parsed = parse_frame_header(std::span(kept_).first(before + taken), receiver_, may_be_compressed);
        kept_bytes_ = static_cast<std::uint8_t>(before + taken);
        if (parsed.state() == frame_parse_state::need_more)
            return decoded_bytes(decoded_event::need_more, consumed + taken);
        if (parsed.state() == frame_parse_state::complete)
            consumed += parsed.size() - before;
    }
    if (parsed.state() == frame_parse_state::error)
        return fail(consumed, websocket_error::protocol_violated, parsed.reason());
    kept_bytes_ = 0;
    frame_ = parsed.header();
    return begin_frame(consumed);
}

std::optional<decoded_bytes> message_decoder::begin_frame(std::size_t consumed) {
    is_in_frame_ = true;
    frame_left_ = frame_.payload_bytes();
    uncovered_ = 0;
    if (is_control_frame())
        return std::nullopt;
    return begin_data_frame(consumed);
}

std::optional<decoded_bytes> message_decoder::begin_data_frame(std::size_t consumed) {
    const bool continues = frame_.opcode() == websocket_opcode::continuation;
    if (continues && !is_in_message_)
        return fail(consumed, websocket_error::protocol_violated, "a continuation of no message");
    if (!continues && is_in_message_)
        return fail(consumed, websocket_error::protocol_violated, "a message inside of another");
    if (!continues) {
        is_in_message_ = true;
        is_first_ = true;
        kind_ = kind_of(frame_.opcode());
        is_compressed_ = frame_.is_compressed();
        is_at_tail_ = false;
        has_more_ = false;
        message_bytes_ = 0;
        wire_bytes_ = 0;
        text_.reset();
    }
    std::uint64_t& so_far = is_compressed_ ? wire_bytes_ : message_bytes_;
    const std::uint64_t bytes_max =
        is_compressed_ ? compressed_bytes_max(message_bytes_max_) : message_bytes_max_;
    if (frame_.payload_bytes() > bytes_max - so_far)
        return fail(consumed, websocket_error::message_too_big, "a message beyond the limit");
    so_far += frame_.payload_bytes();
    return std::nullopt;
}

decoded_bytes message_decoder::read_control(byte_span bytes, std::size_t consumed) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(frame_left_, bytes.size()));
    const byte_span there = bytes.first(size);
    unmask(there, frame_.payload_bytes() - frame_left_);
    frame_left_ -= size;
    if (kept_bytes_ == 0 && frame_left_ == 0)
        return end_control(there, consumed + size);
    std::copy_n(there.begin(), size, kept_.begin() + kept_bytes_);
    kept_bytes_ = static_cast<std::uint8_t>(kept_bytes_ + size);
    if (frame_left_ != 0)
        return {decoded_event::need_more, consumed + size};
    return end_control(std::span(kept_).first(kept_bytes_), consumed + size);
}

decoded_bytes message_decoder::end_control(std::span<const std::byte> payload, std::size_t consumed) {
    is_in_frame_ = false;
    kept_bytes_ = 0;
    if (frame_.opcode() == websocket_opcode::close)
        return read_close(payload, consumed);
    const bool is_ping = frame_.opcode() == websocket_opcode::ping;
    return {is_ping ? decoded_event::ping : decoded_event::pong, consumed, payload};
}

decoded_bytes message_decoder::read_close(std::span<const std::byte> payload, std::size_t consumed) {
    if (payload.empty())
        return decoded_bytes::closing(consumed, websocket_close_code::none, {});
    if (payload.size() == 1)
        return fail(consumed, websocket_error::protocol_violated, "a close frame with half a code");
    const auto code = static_cast<websocket_close_code>(static_cast<unsigned>(payload[0]) << 8 |
                                                        static_cast<unsigned>(payload[1]));
    if (!may_be_sent(code))
        return fail(consumed, websocket_error::protocol_violated, "a close code that must not be sent");
    if (!is_utf8(payload.subspan(2)))
        return fail(consumed, websocket_error::invalid_text, "a close reason that is not UTF-8");
    return decoded_bytes::closing(consumed, code, payload.subspan(2));
}

/// Returns nothing if the frame has ended without an event.
std::optional<decoded_bytes> message_decoder::read_data(byte_span bytes, std::size_t& consumed,
                                                        std::string* gathered) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(frame_left_, bytes.size() - consumed));
    if (size == 0 && frame_left_ != 0)
        return decoded_bytes(decoded_event::need_more, consumed);
    const byte_span there = bytes.subspan(consumed, size);
    const std::uint64_t phase = frame_.payload_bytes() - frame_left_;
    frame_left_ -= size;
    consumed += size;
    is_in_frame_ = frame_left_ != 0;
    const bool is_last = !is_in_frame_ && frame_.is_final();
    if (there.empty() && !is_last)
        return std::nullopt;
    if (gathered != nullptr && !(is_first_ && is_last))
        return give_piece(gather(there, phase, *gathered), consumed, is_last, true);
    unmask(there, phase);
    return give_piece(there, consumed, is_last, false);
}

/// `phase`: where in the frame's payload the piece begins.
std::span<const std::byte> message_decoder::gather(std::span<const std::byte> piece, std::uint64_t phase,
                                                   std::string& gathered) const {
    const std::size_t before = gathered.size();
    const std::size_t after = before + piece.size();
    if (is_first_)
        gathered.reserve(after + static_cast<std::size_t>(std::min(frame_left_, announced_bytes_max)));
    // libstdc++ 12 passes the capacity that it has made as the size.
    gathered.resize_and_overwrite(after, [&](char* text, std::size_t) {
        auto* const to = reinterpret_cast<std::byte*>(text) + before;
        if (frame_.is_masked())
            copy_masked(piece, to, frame_.key(), phase);
        else
            std::ranges::copy(piece, to);
        return after;
    });
    return as_bytes(gathered).subspan(before);
}

std::optional<decoded_bytes> message_decoder::read_compressed(byte_span bytes, std::size_t& consumed,
                                                              std::string& gathered) {
    const bool server_sends = receiver_ == websocket_role::client;
    if (!inflater_)
        inflater_ = std::make_unique<message_inflater>(server_sends ? deflate_->server_window_bits()
                                                                    : deflate_->client_window_bits());
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(frame_left_, bytes.size() - consumed));
    if (size == 0 && frame_left_ != 0 && !has_more_)
        return decoded_bytes(decoded_event::need_more, consumed);
    const byte_span there = bytes.subspan(consumed, size);
    unmask(there.subspan(uncovered_), frame_.payload_bytes() - frame_left_ + uncovered_);

    const std::size_t before = gathered.size();
    std::size_t made = 0;
    std::span<const std::byte> input = there;
    gathered.resize_and_overwrite(before + inflated_bytes, [&](char* text, std::size_t) {
        const byte_span room = std::as_writable_bytes(std::span(text + before, inflated_bytes));
        // What did not fit last time comes first, and needs no input.
        made = inflater_->inflate(input, room);
        const bool has_all = input.empty() && size == frame_left_ && frame_.is_final();
        if (has_all && made < inflated_bytes) {
            is_at_tail_ = true;
            made += inflater_->finish(room.subspan(made));
        }
        return before + made;
    });
    const std::size_t taken = size - input.size();
    uncovered_ = input.size();
    frame_left_ -= taken;
    consumed += taken;
    const std::span<const std::byte> payload = as_bytes(gathered).subspan(before);
    const std::uint64_t room_left = message_bytes_max_ - message_bytes_;
    if (made > room_left || inflater_->is_broken()) {
        // However the bytes are cut, the first error is the one reported.
        const auto in_order = static_cast<std::size_t>(std::min<std::uint64_t>(made, room_left));
        if (kind_ == message_kind::text && !text_.append(payload.first(in_order)))
            return fail_text(consumed);
        if (made > room_left)
            return fail(consumed, websocket_error::message_too_big, "a message inflates beyond the limit");
        return fail(consumed, websocket_error::protocol_violated,
                    "a compressed message that cannot be inflated");
    }
    message_bytes_ += made;
    has_more_ = made == inflated_bytes;
    const bool is_last = is_at_tail_ && !has_more_;
    if (is_last || (frame_left_ == 0 && !frame_.is_final() && !has_more_))
        is_in_frame_ = false;
    if (payload.empty() && !is_last) {
        if (!is_in_frame_)
            return std::nullopt;
        return decoded_bytes(decoded_event::need_more, consumed);
    }
    if (is_last) {
        const bool forgets =
            server_sends ? deflate_->server_no_context_takeover() : deflate_->client_no_context_takeover();
        if (forgets)
            inflater_.reset();
        else
            inflater_->end_message(false);
    }
    return give_piece(payload, consumed, is_last, true);
}

decoded_bytes message_decoder::give_piece(std::span<const std::byte> payload, std::size_t consumed,
                                          bool is_last, bool is_gathered) {
    if (kind_ == message_kind::text && (!text_.append(payload) || (is_last && !text_.is_complete())))
        return fail_text(consumed);
    if (is_last)
        is_in_message_ = false;
    const bool is_first = is_first_;
    is_first_ = false;
    return decoded_bytes::piece(consumed, {kind_, payload, is_last}, is_first, is_gathered);
}

decoded_bytes message_decoder::fail(std::size_t consumed, websocket_error error,
                                    std::string_view reason) noexcept {
    has_failed_ = true;
    return decoded_bytes::wrong(consumed, error, reason);
}

decoded_bytes message_decoder::fail_text(std::size_t consumed) noexcept {
    return fail(consumed, websocket_error::invalid_text, "a text that is not UTF-8");
}

/// `phase`: where in the frame's payload the bytes begin.
void message_decoder::unmask(byte_span bytes, std::uint64_t phase) const noexcept {
    if (frame_.is_masked())
        apply_mask(bytes, frame_.key(), phase);
}

}  // namespace eddy::http
