// However a chunked body's bytes are cut, the data, the trailers and the outcome are the same.
// The first byte of the input chooses the cuts and the limits.

#include "check.hpp"

#include <eddy/http/codec/detail/chunked_decoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace eddy::http;

class decoded {
public:
    explicit decoded(const message_limits& limits) : decoder_(limits) {}

    // Requires: `unconsumed` starts behind what was consumed before. Returns false when it is all over.
    bool take(std::string_view unconsumed) {
        for (;;) {
            const auto result = decoder_.decode(unconsumed);
            EDDY_FUZZ_CHECK(result.consumed() <= unconsumed.size());
            unconsumed.remove_prefix(result.consumed());
            consumed_ += result.consumed();
            switch (result.event()) {
                case chunk_event::need_more:
                    return true;
                case chunk_event::data:
                    EDDY_FUZZ_CHECK(!result.data().empty());
                    data_ += result.data();
                    break;
                case chunk_event::trailer:
                    EDDY_FUZZ_CHECK(!result.trailer_name().empty());
                    trailers_ +=
                        std::string(result.trailer_name()) + ":" + std::string(result.trailer_value()) + "\n";
                    break;
                case chunk_event::complete:
                    EDDY_FUZZ_CHECK(decoder_.body_size() == data_.size());
                    outcome_ = "complete " + std::to_string(consumed_);
                    return false;
                case chunk_event::error:
                    outcome_ = result.error().reason();
                    return false;
            }
        }
    }

    [[nodiscard]] std::size_t consumed() const { return consumed_; }

    [[nodiscard]] bool is_same_as(const decoded& other) const {
        return data_ == other.data_ && trailers_ == other.trailers_ && outcome_ == other.outcome_;
    }

private:
    chunked_decoder decoder_;
    std::string data_;
    std::string trailers_;
    std::string outcome_ = "unfinished";
    std::size_t consumed_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::size_t step = 1 + data[0] % 32;
    message_limits limits;
    if (data[0] >= 128) {
        limits.body_bytes_max(50).chunk_extension_bytes_max(10).trailer_bytes_max(20);
    }
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    decoded whole(limits);
    (void)whole.take(bytes);

    decoded cut(limits);
    for (std::size_t end = 0;; end = std::min(end + step, bytes.size())) {
        const std::vector<char> unconsumed(bytes.begin() + static_cast<std::ptrdiff_t>(cut.consumed()),
                                           bytes.begin() + static_cast<std::ptrdiff_t>(end));
        if (!cut.take({unconsumed.data(), unconsumed.size()}) || end == bytes.size()) {
            EDDY_FUZZ_CHECK(cut.is_same_as(whole));
            return 0;
        }
    }
}
