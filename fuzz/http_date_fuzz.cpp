// A date that is read can be written and read again. The first 8 bytes of the input are the time now.

#include "check.hpp"

#include <eddy/http/message/date.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    std::int64_t now = 0;
    if (size < sizeof(now)) {
        return 0;
    }
    std::memcpy(&now, data, sizeof(now));
    std::array<char, date_size> text;
    format_date(now, text);
    EDDY_FUZZ_CHECK(parse_date({text.data(), text.size()}, now));

    const std::string_view value(reinterpret_cast<const char*>(data) + sizeof(now), size - sizeof(now));
    if (const auto time = parse_date(value, now)) {
        constexpr std::int64_t first = -62135596800;  // the year 1
        constexpr std::int64_t last = 253402300799;   // the end of 9999
        format_date(*time, text);
        const bool is_in_range = *time >= first && *time <= last;
        EDDY_FUZZ_CHECK(!is_in_range || parse_date({text.data(), text.size()}, now) == time);
    }
    return 0;
}
