// However an answer's bytes are cut, the outcome is the same, and an accepted head makes sense.
// The first byte of the input chooses the cuts, the limits and the request's method.

#include "check.hpp"

#include <eddy/http/codec/detail/response_parser.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using namespace eddy::http;

void check_head(const response_head& head, method requested) {
    const auto code = to_number(head.status());
    EDDY_FUZZ_CHECK(code >= 100 && code <= 999 && head.minor_version() <= 1);
    const bool has_no_body = forbids_body(head.status()) || requested == method::head ||
                             (requested == method::connect && code / 100 == 2);
    EDDY_FUZZ_CHECK(!has_no_body || head.framing().kind() == body_kind::none);
    EDDY_FUZZ_CHECK(has_no_body ||
                    head.has(field::transfer_encoding) == (head.framing().kind() == body_kind::chunked));
    EDDY_FUZZ_CHECK(has_no_body || !head.has(field::content_length) || !head.has(field::transfer_encoding));
    for (std::size_t i = 0; i < head.header_count(); ++i) {
        const auto line = head.header(i);
        EDDY_FUZZ_CHECK(is_token(line.name()) && line.id() == field_from(line.name()));
        EDDY_FUZZ_CHECK(line.value().find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
        EDDY_FUZZ_CHECK(head.find(line.name()).has_value());
    }
}

void check_same(const response_head& a, const response_head& b) {
    EDDY_FUZZ_CHECK(a.status() == b.status() && a.reason() == b.reason() && a.framing() == b.framing());
    EDDY_FUZZ_CHECK(a.minor_version() == b.minor_version() && a.keep_alive() == b.keep_alive());
    EDDY_FUZZ_CHECK(a.upgrade() == b.upgrade() && a.header_count() == b.header_count());
    for (std::size_t i = 0; i < a.header_count(); ++i)
        EDDY_FUZZ_CHECK(a.header(i).name() == b.header(i).name() &&
                        a.header(i).value() == b.header(i).value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::size_t step = 1 + data[0] % 32;
    const method requested =
        std::array{method::get, method::head, method::connect, method::post}[data[0] / 32 % 4];
    message_limits limits;
    if (data[0] >= 128)
        limits.request_line_bytes_max(20).head_bytes_max(120).header_count_max(3).body_bytes_max(1000);
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    response_parser whole(limits, requested);
    const auto expected = whole.parse(bytes);
    if (expected.state() == parse_state::complete)
        check_head(whole.head(bytes), requested);

    response_parser cut(limits, requested);
    for (std::size_t end = 0;; end = std::min(end + step, bytes.size())) {
        const std::vector<char> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end));
        const std::string_view so_far(copy.data(), copy.size());
        const auto result = cut.parse(so_far);
        if (result.state() == parse_state::need_more && end != bytes.size())
            continue;
        EDDY_FUZZ_CHECK(result == expected);
        if (result.state() == parse_state::complete)
            check_same(whole.head(bytes), cut.head(so_far));
        return 0;
    }
}
