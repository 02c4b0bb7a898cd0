#pragma once

#include "support/require.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/websocket/detail/frame_header.hpp>
#include <eddy/http/websocket/detail/mask.hpp>
#include <eddy/http/websocket/detail/opcode.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http::test {

using enum websocket_opcode;

/// A frame as a peer sends it, right or wrong. Masked, as a client's is, unless it is said.
class sent_frame {
public:
    sent_frame(websocket_opcode code, std::string_view payload) : payload_(payload) {
        header_ = websocket_frame_header(code, payload.size());
        header_.key({std::byte{0x37}, std::byte{0xfa}, std::byte{0x21}, std::byte{0x3d}});
    }
    sent_frame& more() { return header_.final(false), *this; }
    sent_frame& compressed() { return header_.compressed(true), *this; }
    /// Sets or clears bits of the first byte.
    sent_frame& flip(unsigned bits) { return flipped_ ^= bits, *this; }
    sent_frame& unmasked() {
        const websocket_frame_header masked = header_;
        header_ = websocket_frame_header(masked.opcode(), masked.payload_bytes());
        header_.final(masked.is_final()).compressed(masked.is_compressed());
        return *this;
    }

    [[nodiscard]] std::string bytes() const {
        std::array<std::byte, websocket_frame_header::size_max> head{};
        std::string text(as_text(std::span(head).first(write_frame_header(header_, head))));
        text[0] = static_cast<char>(static_cast<unsigned char>(text[0]) ^ flipped_);
        std::string covered = payload_;
        if (header_.is_masked())
            apply_mask(std::as_writable_bytes(std::span(covered)), header_.key(), 0);
        return text + covered;
    }
    operator std::string() const { return bytes(); }

private:
    std::string payload_;
    websocket_frame_header header_;
    unsigned flipped_ = 0;
};

/// The payload of a close frame.
inline std::string close_payload(unsigned code, std::string_view reason = {}) {
    return std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)} + std::string(reason);
}

/// A frame that has been received.
class received_frame {
public:
    received_frame(const websocket_frame_header& header, std::string payload)
        : header_(header), payload_(std::move(payload)) {}
    [[nodiscard]] websocket_opcode opcode() const { return header_.opcode(); }
    [[nodiscard]] bool is_final() const { return header_.is_final(); }
    [[nodiscard]] bool is_compressed() const { return header_.is_compressed(); }
    [[nodiscard]] bool is_masked() const { return header_.is_masked(); }
    [[nodiscard]] const std::string& payload() const { return payload_; }
    /// Of a close frame; 0 if it has none.
    [[nodiscard]] unsigned code() const {
        if (payload_.size() < 2)
            return 0;
        return static_cast<unsigned>(static_cast<unsigned char>(payload_[0])) << 8 |
               static_cast<unsigned char>(payload_[1]);
    }

private:
    websocket_frame_header header_;
    std::string payload_;
};

/// The other end, played by hand: sends any bytes and reads frame by frame.
class raw_peer {
public:
    /// `plays`: which end it plays. Takes a stream by reference.
    explicit raw_peer(duplex_stream& stream, websocket_role plays = websocket_role::client)
        : stream_(stream), role_(plays) {}

    [[nodiscard]] task<> send(std::string bytes) { co_await stream_.write_all(as_bytes(bytes)); }
    /// Nothing at the end of the stream.
    [[nodiscard]] task<std::optional<received_frame>> receive() {
        for (;;) {
            const frame_parse_result parsed = parse_frame_header(as_bytes(received_), role_, true);
            eddy::test::require(parsed.state() != frame_parse_state::error,
                                "the websocket sends what is no frame");
            if (parsed.state() == frame_parse_state::complete &&
                received_.size() >= parsed.size() + parsed.header().payload_bytes())
                co_return take(parsed);
            std::array<std::byte, 4096> room{};
            const std::size_t count = co_await stream_.read(room);
            if (count == 0)
                co_return std::nullopt;
            received_ += as_text(std::span(room).first(count));
        }
    }

private:
    received_frame take(const frame_parse_result& parsed) {
        std::string payload = received_.substr(parsed.size(), parsed.header().payload_bytes());
        received_.erase(0, parsed.size() + payload.size());
        if (parsed.header().is_masked())
            apply_mask(std::as_writable_bytes(std::span(payload)), parsed.header().key(), 0);
        return {parsed.header(), std::move(payload)};
    }

    duplex_stream& stream_;
    websocket_role role_;
    std::string received_;
};

/// Options of tests: nothing happens by itself.
inline websocket_options quiet_options() {
    return websocket_options().ping_interval(duration::zero()).close_timeout(std::chrono::seconds(20));
}

/// A websocket and the stream at whose other end a peer is played by hand.
class played_pair {
public:
    explicit played_pair(const websocket_options& options = quiet_options(),
                         websocket_role role = websocket_role::server, const websocket_agreement& agreed = {},
                         std::size_t capacity_bytes = 65'536)
        : played_pair(duplex(capacity_bytes), options, role, agreed) {}

    duplex_stream stream;
    websocket socket;
    raw_peer peer;

private:
    played_pair(std::pair<duplex_stream, duplex_stream> ends, const websocket_options& options,
                websocket_role role, const websocket_agreement& agreed)
        : stream(std::move(ends.first)),
          socket(any_stream(std::move(ends.second)), role, options, agreed),
          peer(stream, role == websocket_role::server ? websocket_role::client : websocket_role::server) {}
};

/// A server and a client that are connected with each other.
class connected_websockets {
public:
    explicit connected_websockets(const websocket_options& options = quiet_options(),
                                  const websocket_agreement& agreed = {}, std::size_t capacity_bytes = 65'536)
        : connected_websockets(duplex(capacity_bytes), options, agreed) {}

    websocket server;
    websocket client;

private:
    connected_websockets(std::pair<duplex_stream, duplex_stream> ends, const websocket_options& options,
                         const websocket_agreement& agreed)
        : server(any_stream(std::move(ends.first)), websocket_role::server, options, agreed),
          client(any_stream(std::move(ends.second)), websocket_role::client, options, agreed) {}
};

}  // namespace eddy::http::test
