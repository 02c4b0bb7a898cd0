// A path leads to the same route as by looking at every pattern. The first line of the input has patterns,
// separated by spaces; the rest is the path.

#include "check.hpp"
#include "http/routing/path_segments.hpp"
#include "http/routing/route_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace eddy::http;
using namespace eddy::http::detail;
using kind = route_pattern::kind;

// How specific a pattern is where it matches, segment by segment.
std::optional<std::string> rank_of(const route_pattern& pattern, std::span<const std::string_view> path) {
    std::string rank;
    std::size_t at = 0;
    for (const auto& segment : pattern.segments()) {
        if (at == path.size())
            return std::nullopt;
        if (segment.type == kind::rest)
            return rank + '2';
        if (segment.type == kind::text ? segment.text != path[at] : path[at].empty())
            return std::nullopt;
        rank += segment.type == kind::text ? '0' : '1';
        ++at;
    }
    if (at != path.size())
        return std::nullopt;
    return rank;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto line_end = input.find('\n');
    if (line_end == std::string_view::npos)
        return 0;
    std::string_view rest = input.substr(0, line_end);
    route_tree tree;
    std::vector<route_pattern> patterns;
    while (!rest.empty() && patterns.size() < 30) {
        const std::string_view text = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), text.size() + 1));
        try {
            route_pattern pattern(text);
            tree.add(pattern, "GET", static_cast<std::uint32_t>(patterns.size()));
            patterns.push_back(pattern);
        } catch (const std::invalid_argument&) {
        } catch (const route_tree::conflict_error&) {
        }
    }
    path_segments segments;
    if (segments.split(input.substr(line_end + 1)) != path_segments::validity::valid)
        return 0;
    std::uint32_t best = route_methods::none;
    std::string best_rank;
    for (std::uint32_t index = 0; index < patterns.size(); ++index) {
        const auto rank = rank_of(patterns[index], segments.all());
        if (rank && (best == route_methods::none || *rank < best_rank)) {
            best = index;
            best_rank = *rank;
        }
    }
    route_tree::match found;
    const bool is_found = tree.find(segments.all(), method::get, "GET", found, nullptr);
    EDDY_FUZZ_CHECK(is_found == (best != route_methods::none));
    if (!is_found)
        return 0;
    EDDY_FUZZ_CHECK(found.route == best);
    EDDY_FUZZ_CHECK(found.parameter_count + (found.has_rest ? 1U : 0U) == patterns[best].names().size());
    if (found.has_rest) {
        EDDY_FUZZ_CHECK(found.rest_from < segments.all().size());
        static_cast<void>(segments.sent_from(found.rest_from));
        if (segments.has_escapes())
            static_cast<void>(segments.decoded_from(found.rest_from));
    }
    return 0;
}
