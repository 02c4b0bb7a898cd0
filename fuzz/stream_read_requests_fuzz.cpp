// However a stream's bytes arrive, the same requests of a buffered reader have the same answers.
// The first bytes of the input choose the requests; the rest is the stream.

#include "check.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/stream/detail/read_buffer.hpp>
#include <eddy/stream/detail/read_requests.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace {

using namespace eddy::detail;

constexpr std::size_t choices = 8;

// A buffered reader's buffer over a stream that comes in pieces of up to `step` bytes.
class arriving {
public:
    arriving(std::string_view stream, std::size_t step, std::size_t capacity)
        : left_(stream), step_(step), buffer_(capacity) {}

    // What the request gives, or the error, in words.
    template <class Request>
    std::string ask(Request request) {
        while (!request.is_met(buffer_) && !buffer_.is_ended())
            arrive();
        const std::uint64_t before = buffer_.consumed();
        try {
            const std::string answer = in_words(request.take(buffer_));
            return answer + " " + std::to_string(buffer_.consumed());
        } catch (const std::system_error& error) {
            EDDY_FUZZ_CHECK(buffer_.consumed() == before);
            return error.code().message();
        }
    }
    // What no request has taken.
    std::string rest() {
        while (!buffer_.is_ended())
            arrive();
        return std::string(eddy::as_text(buffer_.bytes()));
    }

private:
    void arrive() {
        const std::span<std::byte> room = buffer_.make_room();
        EDDY_FUZZ_CHECK(!room.empty());
        const std::size_t count = std::min({room.size(), step_, left_.size()});
        std::copy_n(eddy::as_bytes(left_).data(), count, room.data());
        left_.remove_prefix(count);
        if (count == 0)
            buffer_.note_end();
        buffer_.add(count);
    }
    static std::string in_words(std::span<const std::byte> bytes) {
        return "bytes " + std::string(eddy::as_text(bytes));
    }
    static std::string in_words(const std::optional<std::string_view>& line) {
        return line ? "line " + std::string(*line) : "no line";
    }

    std::string_view left_;
    std::size_t step_;
    read_buffer buffer_;
};

std::string ask_as_chosen(arriving& stream, std::uint8_t choice) {
    const std::size_t size = choice / 4;
    switch (choice % 4) {
        case 0:
            return stream.ask(line_request(size));
        case 1:
            return stream.ask(delimiter_request("\r\n", size + 2));
        case 2:
            return stream.ask(delimiter_request("aab", size + 3));
        default:
            return stream.ask(exact_request(size));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < choices + 2)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + choices + 2, size - choices - 2);
    arriving whole(bytes, bytes.size() + 1, bytes.size() + 1);
    arriving cut(bytes, 1 + data[choices] % 16U, 1 + data[choices + 1] % 32U);
    for (std::size_t at = 0; at < choices; ++at)
        EDDY_FUZZ_CHECK(ask_as_chosen(whole, data[at]) == ask_as_chosen(cut, data[at]));
    EDDY_FUZZ_CHECK(whole.rest() == cut.rest());
    return 0;
}
