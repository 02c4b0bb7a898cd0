// Whatever names and values are given, a finished head has exactly the lines that were asked for.
// The first byte of the input is the size of the buffer, the second the length of the name.

#include "check.hpp"

#include <eddy/http/codec/detail/response_head_writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    if (size < 2) {
        return 0;
    }
    std::vector<char> buffer(data[0]);
    const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const auto name = text.substr(0, data[1]);
    const auto value = text.substr(std::min<std::size_t>(data[1], text.size()));
    const auto head =
        response_head_writer(buffer, status::ok).header(name, value).content_length(size).finish();
    if (head) {
        EDDY_FUZZ_CHECK(std::count(head->begin(), head->end(), '\n') == 4);
        EDDY_FUZZ_CHECK(std::count(head->begin(), head->end(), '\r') == 4);
        EDDY_FUZZ_CHECK(std::count(head->begin(), head->end(), '\0') == 0);
        EDDY_FUZZ_CHECK(head->ends_with("\r\n\r\n"));
    }
    return 0;
}
