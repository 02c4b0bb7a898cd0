// What is taken as a URL is in one form already, its parts make up the whole, and no byte in it can end a
// line. The input up to the first NUL is a URL, the rest a reference.

#include "check.hpp"

#include <eddy/http/message/url.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using eddy::http::url;

void check_form(const url& made) {
    for (const char byte : made.text())
        EDDY_FUZZ_CHECK(byte > ' ' && byte < '\x7f');
    EDDY_FUZZ_CHECK(!made.host().empty() && made.path().starts_with('/'));
    EDDY_FUZZ_CHECK(std::string(made.origin()) + std::string(made.target()) == made.absolute_target());
    EDDY_FUZZ_CHECK(made.text().starts_with(made.absolute_target()));
    EDDY_FUZZ_CHECK(made.origin().ends_with(made.authority()));
    const auto again = url::parse(made.text());
    EDDY_FUZZ_CHECK(again && again->text() == made.text() && again->port() == made.port());
    const url normal = made.normalised();
    EDDY_FUZZ_CHECK(normal.normalised() == normal);
    EDDY_FUZZ_CHECK((std::string(made.path()) + "/").find("/../") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const auto base = url::parse(all.substr(0, all.find('\0')));
    if (!base)
        return 0;
    check_form(*base);
    if (const auto end = all.find('\0'); end != std::string_view::npos) {
        if (const auto resolved = base->resolve(all.substr(end + 1)))
            check_form(*resolved);
    }
    return 0;
}
