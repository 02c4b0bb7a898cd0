// A range that is to be sent lies inside the representation. The first 8 bytes of the input are its size.

#include "check.hpp"

#include <eddy/http/byte_range.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    std::uint64_t total = 0;
    if (size < sizeof(total)) {
        return 0;
    }
    std::memcpy(&total, data, sizeof(total));
    const std::string_view value(reinterpret_cast<const char*>(data) + sizeof(total), size - sizeof(total));
    const auto range = parse_byte_range(value, total);
    if (range.kind() == range_kind::whole) {
        return 0;
    }
    if (range.kind() == range_kind::partial) {
        EDDY_FUZZ_CHECK(range.first() <= range.last() && range.last() < total);
        EDDY_FUZZ_CHECK(range.length() >= 1 && range.length() <= total);
    }
    EDDY_FUZZ_CHECK(content_range(range, total).text().starts_with("bytes "));
    return 0;
}
