// However a request's bytes are cut, the outcome is the same, and an accepted head makes sense.
// The first byte of the input chooses the cuts and the limits.

#include "check.hpp"

#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/detail/authority.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using namespace eddy::http;

bool is_inside(std::string_view part, std::string_view whole) {
    return part.empty() ||
           (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void check_head(const request_head& head, std::string_view bytes) {
    EDDY_FUZZ_CHECK(is_token(head.method_name()));
    EDDY_FUZZ_CHECK(!head.target().empty() && is_inside(head.target(), bytes));
    EDDY_FUZZ_CHECK(is_inside(head.query(), head.target()));
    EDDY_FUZZ_CHECK(head.minor_version() == 0 || parse_authority(head.authority()));
    EDDY_FUZZ_CHECK(!head.has(field::content_length) || !head.has(field::transfer_encoding));
    EDDY_FUZZ_CHECK(head.has(field::transfer_encoding) == (head.framing().kind() == body_kind::chunked));
    for (std::size_t i = 0; i < head.header_count(); ++i) {
        const auto line = head.header(i);
        EDDY_FUZZ_CHECK(is_token(line.name()) && is_inside(line.value(), bytes));
        EDDY_FUZZ_CHECK(line.id() == field_from(line.name()));
        EDDY_FUZZ_CHECK(line.value().find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
        EDDY_FUZZ_CHECK(head.find(line.name()).has_value());
    }
}

void check_same(const request_head& a, const request_head& b) {
    EDDY_FUZZ_CHECK(a.method() == b.method() && a.target() == b.target() && a.form() == b.form());
    EDDY_FUZZ_CHECK(a.path() == b.path() && a.query() == b.query() && a.authority() == b.authority());
    EDDY_FUZZ_CHECK(a.minor_version() == b.minor_version() && a.framing() == b.framing());
    EDDY_FUZZ_CHECK(a.keep_alive() == b.keep_alive() && a.expects_continue() == b.expects_continue());
    EDDY_FUZZ_CHECK(a.upgrade() == b.upgrade() && a.header_count() == b.header_count());
    for (std::size_t i = 0; i < a.header_count(); ++i) {
        EDDY_FUZZ_CHECK(a.header(i).name() == b.header(i).name() &&
                        a.header(i).value() == b.header(i).value());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::size_t step = 1 + data[0] % 32;
    message_limits limits;
    if (data[0] >= 128) {
        limits.request_line_bytes_max(40).head_bytes_max(120).header_count_max(3).body_bytes_max(1000);
    }
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    request_parser whole(limits);
    const auto expected = whole.parse(bytes);
    if (expected.state() == parse_state::complete) {
        EDDY_FUZZ_CHECK(expected.head_size() <= bytes.size());
        check_head(whole.head(bytes), bytes);
    }

    request_parser cut(limits);
    for (std::size_t end = 0;; end = std::min(end + step, bytes.size())) {
        const std::vector<char> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end));
        const std::string_view so_far(copy.data(), copy.size());
        const auto result = cut.parse(so_far);
        if (result.state() != parse_state::need_more || end == bytes.size()) {
            EDDY_FUZZ_CHECK(result == expected);
            if (result.state() == parse_state::complete) {
                EDDY_FUZZ_CHECK(end < result.head_size() + step);
                check_same(whole.head(bytes), cut.head(so_far));
            }
            return 0;
        }
    }
}
