// A cookie that was taken goes back to who set it, and nothing in it can end a line. The input up to the
// first NUL is a Set-Cookie value, the rest the path of the URL that sets it.

#include "check.hpp"

#include <eddy/http/client/cookie_jar.hpp>
#include <eddy/http/message/percent_encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const auto end = all.find('\0');
    const std::string path = end == std::string_view::npos ? "/" : percent_encode(all.substr(end + 1));
    constexpr std::int64_t now = 1'700'000'000;
    for (const char* origin : {"https://a.b.example.com/", "http://localhost/", "https://127.0.0.1/"}) {
        const auto from = url::parse(std::string(origin) + path);
        if (!from)
            continue;
        cookie_jar jar(cookie_limits().cookies_max(2));
        const bool is_taken = jar.set(*from, all.substr(0, end), now);
        EDDY_FUZZ_CHECK(is_taken || jar.cookies().empty());
        EDDY_FUZZ_CHECK(jar.cookies().size() <= 1);
        for (const cookie& each : jar.cookies()) {
            EDDY_FUZZ_CHECK(!(each.name.empty() && each.value.empty()) && each.path.starts_with('/'));
            EDDY_FUZZ_CHECK(std::string_view("a.b.example.com localhost 127.0.0.1").contains(each.domain));
            EDDY_FUZZ_CHECK(each.expires_at == 0 || each.expires_at > now);
        }
        const std::string sent = jar.header_for(*from, now);
        EDDY_FUZZ_CHECK(sent.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
        EDDY_FUZZ_CHECK(jar.header_for(url("https://elsewhere.org/"), now).empty());
    }
    return 0;
}
