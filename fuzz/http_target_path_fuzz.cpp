// No target resolves to a path that leaves the root or holds what no file name may hold.
// The first byte of the input is the room for the result.

#include "check.hpp"

#include <eddy/http/message/detail/target_path.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    if (size == 0) {
        return 0;
    }
    const std::string_view target(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::vector<char> buffer(data[0] < 128 ? target.size() : data[0] - 128U);
    const auto result = resolve_target_path(target, buffer);
    if (!result) {
        EDDY_FUZZ_CHECK(result.error().status() == status::bad_request || buffer.size() < target.size());
        return 0;
    }
    auto rest = result->path();
    EDDY_FUZZ_CHECK(rest.find('\0') == std::string_view::npos);
    EDDY_FUZZ_CHECK(!rest.empty() || result->names_directory());
    while (!rest.empty()) {
        const auto segment = rest.substr(0, rest.find('/'));
        EDDY_FUZZ_CHECK(!segment.empty() && segment != "." && segment != "..");
        rest.remove_prefix(segment.size());
        EDDY_FUZZ_CHECK(rest != "/");
        rest.remove_prefix(rest.empty() ? 0 : 1);
    }
    return 0;
}
