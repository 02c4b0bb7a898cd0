// Ranges that are to be sent lie inside the representation and apart from each other, and together are what
// one range alone would be. The first 8 bytes of the input are its size.

#include "check.hpp"

#include <eddy/http/message/detail/byte_range.hpp>
#include <eddy/http/message/detail/byte_ranges.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace {

using namespace eddy::http;

void check_one(std::string_view value, std::uint64_t total) {
    const auto range = parse_byte_range(value, total);
    if (range.kind() == range_kind::whole)
        return;
    if (range.kind() == range_kind::partial) {
        EDDY_FUZZ_CHECK(range.first() <= range.last() && range.last() < total);
        EDDY_FUZZ_CHECK(range.length() >= 1 && range.length() <= total);
    }
    EDDY_FUZZ_CHECK(content_range(range, total).text().starts_with("bytes "));
    // Who understands several understands one.
    const auto several = parse_byte_ranges(value, total);
    EDDY_FUZZ_CHECK(several.kind() == range.kind());
    if (range.kind() == range_kind::partial)
        EDDY_FUZZ_CHECK(several.parts().size() == 1 && several.parts()[0] == range);
}

void check_several(std::string_view value, std::uint64_t total) {
    const auto ranges = parse_byte_ranges(value, total);
    if (ranges.kind() != range_kind::partial)
        return;
    const auto parts = ranges.parts();
    EDDY_FUZZ_CHECK(!parts.empty() && parts.size() <= byte_ranges::count_max);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EDDY_FUZZ_CHECK(parts[i].first() <= parts[i].last() && parts[i].last() < total);
        sum += parts[i].length();
        for (std::size_t j = 0; j < i; ++j)
            EDDY_FUZZ_CHECK(parts[i].first() > parts[j].last() || parts[j].first() > parts[i].last());
    }
    EDDY_FUZZ_CHECK(sum <= total);
    if (total > (std::uint64_t{1} << 60))
        return;
    const multipart_ranges body(ranges, total, "text/plain", "boundary");
    std::uint64_t size = body.tail().size() + sum;
    for (std::size_t i = 0; i < parts.size(); ++i)
        size += body.head(i).size();
    EDDY_FUZZ_CHECK(size == body.body_bytes());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint64_t total = 0;
    if (size < sizeof(total)) {
        return 0;
    }
    std::memcpy(&total, data, sizeof(total));
    const std::string_view value(reinterpret_cast<const char*>(data) + sizeof(total), size - sizeof(total));
    check_one(value, total);
    check_several(value, total);
    return 0;
}
