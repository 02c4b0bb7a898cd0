// What a query or form says comes back from its encoding.

#include "check.hpp"

#include <eddy/http/message/form_fields.hpp>
#include <eddy/http/message/percent_encoding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    EDDY_FUZZ_CHECK(percent_decode(percent_encode(text)) == text);
    const auto parsed = form_fields::parse(text, form_limits().fields_max(100));
    if (!parsed) {
        EDDY_FUZZ_CHECK(parsed.error().status() == status::bad_request ||
                        std::ranges::count(text, '&') >= 100);
        return 0;
    }
    const auto again = form_fields::parse(parsed->encoded());
    EDDY_FUZZ_CHECK(again && std::ranges::equal(*again, *parsed));
    for (const auto& field : *parsed)
        EDDY_FUZZ_CHECK(parsed->contains(field.first));
    return 0;
}
