#pragma once

#include <cstdlib>
#include <string_view>

namespace eddy::test {

/// Whether tasks go on in the order in which they became ready, and completions are told in the order in
/// which they came about: unless EDDY_SHUFFLE says otherwise (runtime_options::shuffle_seed). For tests of
/// just that order, and of what depends on it by design, the count of system calls, say:
///
///     if (!test::runs_in_order())
///         GTEST_SKIP() << test::needs_order;
inline bool runs_in_order() {
    const char* const seed = std::getenv("EDDY_SHUFFLE");
    return seed == nullptr || std::string_view(seed).empty() || std::string_view(seed) == "0";
}

inline constexpr std::string_view needs_order = "[order] the order is shuffled";

}  // namespace eddy::test
