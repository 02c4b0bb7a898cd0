// However a multipart body is cut into pieces, its parts are the same, and no call consumes more than it was
// given. The first byte of the input is the size of the pieces.

#include "check.hpp"

#include <eddy/http/codec/detail/multipart_parser.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace eddy::http;

std::string parse(std::string_view body, std::size_t piece_size) {
    multipart_parser parser("XX", multipart_limits().parts_max(20).header_bytes_max(512));
    std::string waiting;
    std::string seen;
    for (;;) {
        const multipart_step step = parser.parse(waiting);
        EDDY_FUZZ_CHECK(step.consumed() <= waiting.size());
        switch (step.event()) {
            case multipart_event::data:
                EDDY_FUZZ_CHECK(step.consumed() != 0);
                seen.append(waiting, 0, step.consumed());
                break;
            case multipart_event::part_begin:
                seen.append("<").append(parser.header().name()).append(">");
                break;
            case multipart_event::part_end:
                seen += "</>";
                break;
            case multipart_event::complete:
                return seen + "complete";
            case multipart_event::error:
                // What of the last part came before the error depends on the pieces.
                return seen.substr(0, seen.rfind("</>")) + std::to_string(to_number(step.error().status()));
            case multipart_event::need_more:
                if (step.consumed() != 0)
                    break;
                EDDY_FUZZ_CHECK(waiting.size() < 1024 + piece_size);
                if (body.empty())
                    return seen;
                waiting += body.substr(0, piece_size);
                body.remove_prefix(std::min(piece_size, body.size()));
                break;
        }
        waiting.erase(0, step.consumed());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string whole = parse(body, body.size() + 1);
    // A limit that is crossed inside a piece may be noticed before or after other errors in it.
    if (!whole.ends_with("413") && !whole.ends_with("400"))
        EDDY_FUZZ_CHECK(parse(body, data[0] + 1U) == whole);
    else
        static_cast<void>(parse(body, data[0] + 1U));
    static_cast<void>(parse_multipart_boundary(body));
    return 0;
}
