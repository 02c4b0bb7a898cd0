// Conditions of any accepted request are evaluated without a fault, and only reads are answered with 304.

#include "check.hpp"

#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/conditional.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The first byte of the input chooses the method, the rest are field lines.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    if (size == 0) {
        return 0;
    }
    const std::string_view fields(reinterpret_cast<const char*>(data) + 1, size - 1);
    constexpr std::string_view methods[] = {"GET", "HEAD", "PUT", "POST"};
    const std::string text =
        std::string(methods[data[0] % 4]) + " / HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n\r\n";
    const message_limits limits;
    request_parser parser(limits);
    if (parser.parse(text).state() != parse_state::complete) {
        return 0;
    }
    const auto head = parser.head(text);
    const bool is_read = head.method() == method::get || head.method() == method::head;
    const bool has_condition = head.has(field::if_match) || head.has(field::if_none_match) ||
                               head.has(field::if_modified_since) || head.has(field::if_unmodified_since);
    constexpr std::int64_t now = 784111777 + 60;
    const validators present(entity_tag_view("\"a\"", data[0] >= 128), 784111777);
    for (const validators& current : {validators(), present}) {
        const auto result = evaluate_preconditions(head, current, now);
        EDDY_FUZZ_CHECK(has_condition || result == precondition::proceed);
        EDDY_FUZZ_CHECK(is_read || result != precondition::not_modified);
        EDDY_FUZZ_CHECK(current.exists() || !head.has(field::if_match) || result == precondition::failed);
        EDDY_FUZZ_CHECK(!may_send_range(head, current, now) ||
                        (current.exists() && head.method() == method::get));
    }
    return 0;
}
