// Heads of answers, line by line, stay within their limit, and what is kept of them is what came.

#include "check.hpp"
#include "integrations/curl/answer_head.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using eddy::curl::answer_head;

constexpr std::size_t bytes_max = 1000;

std::size_t bytes_of(const answer_head::field_list& fields) {
    std::size_t sum = 0;
    for (const auto& [name, value] : fields) {
        EDDY_FUZZ_CHECK(!name.empty() && name.find(':') == name.npos);
        EDDY_FUZZ_CHECK(value.empty() ||
                        (value.front() != ' ' && value.back() != ' ' && value.back() != '\r'));
        sum += name.size() + value.size();
    }
    return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view left(reinterpret_cast<const char*>(data), size);
    answer_head head(bytes_max);
    std::size_t taken = 0;
    while (!left.empty()) {
        const std::size_t length = std::min(left.find('\n'), left.size() - 1) + 1;
        const auto step = head.add(left.substr(0, length));
        if (step == answer_head::step::too_large) {
            EDDY_FUZZ_CHECK(taken + length > bytes_max);
            break;
        }
        if (step == answer_head::step::head_ended)
            head.finish();
        taken += length;
        left.remove_prefix(length);
    }
    EDDY_FUZZ_CHECK(taken <= bytes_max);
    EDDY_FUZZ_CHECK(bytes_of(head.fields()) + bytes_of(head.trailers()) <= taken);
    if (!head.fields().empty())
        EDDY_FUZZ_CHECK(head.find(head.fields().front().first) == head.fields().front().second);
    return 0;
}
