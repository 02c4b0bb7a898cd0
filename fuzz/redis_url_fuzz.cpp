// A URL of a Redis server is taken or refused, and the reason does not tell the password.

#include "check.hpp"

#include <eddy/integrations/redis/options.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.starts_with("rediss"))
        return 0;  // looks the system's certificates up
    try {
        const auto made = eddy::redis::options::from_url(text);
        EDDY_FUZZ_CHECK(!made.where().empty());
        EDDY_FUZZ_CHECK(made.port() != 0);
        EDDY_FUZZ_CHECK(made.host().find('\0') == std::string::npos);
    } catch (const std::invalid_argument& refused) {
        EDDY_FUZZ_CHECK(std::string_view(refused.what()).starts_with("a Redis URL "));
    }
    return 0;
}
