// Whatever a peer sends, and however it is cut, the messages found are the same, none is over the limit, and no more memory
// is held than has come. What is compressed is decompressed within the limit. The bytes of its text form are the same, too. The
// first byte of the input says how it is cut.

#include "check.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/message_parser.hpp"
#include "rpc/web_text.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/rpc/status.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace eddy;
using rpc::message_parser;

constexpr std::size_t message_bytes_max = 10'000;

struct outcome {
    std::vector<std::string> messages;
    std::string failure;

    bool operator==(const outcome&) const = default;
};

std::string decompressed(std::span<const std::byte> message) {
    std::string out;
    try {
        rpc::decompress(message, rpc::compression::gzip, message_bytes_max, out);
    } catch (const rpc::error& failed) {
        return failed.what();
    }
    EDDY_FUZZ_CHECK(out.size() <= message_bytes_max);
    return out;
}

outcome parsed(std::string_view text, std::size_t piece) {
    message_parser parser(message_bytes_max);
    outcome found;
    try {
        while (!text.empty()) {
            const std::span<std::byte> room = parser.room();
            EDDY_FUZZ_CHECK(!room.empty() && room.size() <= 4 * message_bytes_max);
            const std::size_t count = std::min({piece, room.size(), text.size()});
            std::ranges::copy(as_bytes(text.substr(0, count)), room.begin());
            parser.add(count);
            text.remove_prefix(count);
            while (const auto frame = parser.next()) {
                EDDY_FUZZ_CHECK(frame->message().size() <= message_bytes_max);
                found.messages.push_back(frame->is_compressed() ? decompressed(frame->message())
                                                                : std::string(as_text(frame->message())));
            }
        }
        found.failure = parser.is_within_frame() ? "within" : "";
    } catch (const rpc::error& failed) {
        found.failure = failed.what();
    }
    return found;
}

// The bytes of what is taken for gRPC-Web's text form; what comes behind a piece that is no base64 does not count.
std::string decoded(std::string_view text, std::size_t piece) {
    rpc::detail::web_text from;
    std::string bytes;
    std::array<std::byte, 7> room;
    try {
        for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
            from.add(text.substr(0, piece));
            while (!from.empty())
                bytes += as_text(std::span<const std::byte>(room).first(from.take(room)));
        }
    } catch (const rpc::error&) {
        return "no base64";
    }
    return from.is_whole() ? bytes : "within";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    EDDY_FUZZ_CHECK(parsed(text, std::size_t{1} + data[0]) == parsed(text, size));
    EDDY_FUZZ_CHECK(decoded(text, std::size_t{1} + data[0]) == decoded(text, size));
    return 0;
}
