// However the bytes of a WebSocket stream are cut, the messages, the control frames and the error are the
// same, and no message is larger than its limit. The first bytes of the input choose the cuts, the role and
// what was agreed of compression; frames are masked with zeros if the input says so, so that payloads can be
// found.

#include "check.hpp"

#include <eddy/http/websocket/detail/message_decoder.hpp>
#include <eddy/http/websocket/utf8_validator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace eddy::http;

constexpr std::uint64_t limit = 40'000;

class received {
public:
    received(websocket_role role, const std::optional<deflate_parameters>& deflate, bool gathers_pieces)
        : decoder_(role, limit, deflate), gathers_pieces_(gathers_pieces) {}

    void take(std::string bytes) {
        auto left = std::as_writable_bytes(std::span(bytes));
        while (!has_ended_) {
            gathered_.clear();
            const decoded_bytes found = decoder_.decode(left, gathered_, gathers_pieces_);
            EDDY_FUZZ_CHECK(found.consumed() <= left.size());
            left = left.subspan(found.consumed());
            if (found.event() == decoded_event::need_more) {
                EDDY_FUZZ_CHECK(left.empty());
                return;
            }
            note(found);
        }
    }
    [[nodiscard]] const std::string& log() const { return log_; }

private:
    void note(const decoded_bytes& found) {
        const std::string_view payload = eddy::as_text(found.payload());
        if (found.event() == decoded_event::piece) {
            EDDY_FUZZ_CHECK(found.is_first() == !is_in_message_);
            message_ += payload;
            EDDY_FUZZ_CHECK(message_.size() <= limit);
            is_in_message_ = !found.is_last();
            if (is_in_message_)
                return;
            EDDY_FUZZ_CHECK(found.kind() == message_kind::binary || is_utf8(eddy::as_bytes(message_)));
            log_ += "message " + message_ + "\n";
            message_.clear();
            return;
        }
        has_ended_ = found.event() == decoded_event::error;
        EDDY_FUZZ_CHECK(has_ended_ || payload.size() <= 125);
        log_ += std::to_string(static_cast<int>(found.event())) + " " +
                std::to_string(to_number(found.code())) + " ";
        log_ += has_ended_ ? std::string(found.reason()) : std::string(payload);
        log_ += "\n";
    }

    message_decoder decoder_;
    bool gathers_pieces_;
    std::string gathered_;
    std::string message_;
    std::string log_;
    bool is_in_message_ = false;
    bool has_ended_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    const std::size_t step = 1 + data[0];
    const auto role = (data[1] & 1) != 0 ? websocket_role::server : websocket_role::client;
    std::optional<deflate_parameters> deflate;
    const int window_bits = (data[1] & 8) == 0 ? 15 : 8 + (data[1] >> 4) % 8;
    if ((data[1] & 2) != 0)
        deflate = deflate_parameters()
                      .client_no_context_takeover((data[1] & 4) != 0)
                      .server_no_context_takeover((data[1] & 4) != 0)
                      .client_window_bits(window_bits)
                      .server_window_bits(window_bits);
    const std::string bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const bool gathers_pieces = step % 2 == 0;
    received whole(role, deflate, gathers_pieces);
    whole.take(bytes);
    received cut(role, deflate, gathers_pieces);
    for (std::size_t at = 0; at < bytes.size(); at += step)
        cut.take(bytes.substr(at, step));
    // What refers further back than was agreed can be inflated as long as it is there still.
    EDDY_FUZZ_CHECK(cut.log() == whole.log() || (deflate && window_bits < 15));
    return 0;
}
