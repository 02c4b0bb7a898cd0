// Whatever a client says of codings, what is chosen for it is offered, accepted and wanted most.

#include "check.hpp"

#include <eddy/http/message/detail/accept_encoding.hpp>

#include <array>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    accepted_codings accepted;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        accepted.add(line);
        text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
    }
    constexpr std::array offered = {content_coding::brotli, content_coding::gzip, content_coding::identity};
    const auto chosen = negotiate_coding(accepted, offered);
    for (const auto one : offered) {
        EDDY_FUZZ_CHECK(accepted.weight(one) <= 1000);
        EDDY_FUZZ_CHECK(chosen || !accepted.accepts(one));
        EDDY_FUZZ_CHECK(!accepted.is_stated() || !chosen || !accepted.accepts(one) ||
                        accepted.weight(one) <= accepted.weight(*chosen));
    }
    EDDY_FUZZ_CHECK(!chosen || accepted.accepts(*chosen));
    return 0;
}
