// A Cookie field, whatever it holds, is taken apart into cookies of valid names; an Accept field chooses
// something on offer or nothing.

#include "check.hpp"

#include <eddy/http/message/cookies.hpp>
#include <eddy/http/message/detail/content_negotiation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string_view rest = text;
    while (const auto cookie = take_cookie(rest)) {
        EDDY_FUZZ_CHECK(is_token(cookie->name()));
        EDDY_FUZZ_CHECK(cookie->value().find_first_of(std::string_view(";\r\n\0", 4)) ==
                        std::string_view::npos);
    }
    EDDY_FUZZ_CHECK(rest.empty());
    constexpr std::array<std::string_view, 2> offered = {"text/html", "application/json;a=b"};
    const auto best = best_media_type(text, offered);
    EDDY_FUZZ_CHECK(!best || *best < offered.size());
    static_cast<void>(best_language(text, offered));
    return 0;
}
