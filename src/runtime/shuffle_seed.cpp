#include "runtime/shuffle_seed.hpp"

#include <eddy/detail/shuffler.hpp>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::detail {

std::uint64_t shuffle_seed(std::uint64_t wanted) {
    const char* const value = std::getenv("EDDY_SHUFFLE");
    if (wanted != 0 || value == nullptr || *value == '\0')
        return wanted;
    const std::string_view text(value);
    const char* const text_end = text.data() + text.size();
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text_end, seed);
    if (error != std::errc() || end != text_end)
        throw std::invalid_argument("EDDY_SHUFFLE: '" + std::string(text) +
                                    "' is no seed (a number from 0, which is off, to 2^64 - 1)");
    return seed;
}

std::uint64_t shuffle_seed_of(std::size_t worker, std::uint64_t seed) noexcept {
    if (seed == 0)
        return 0;
    const std::uint64_t mixed = shuffler(seed + worker)();
    return mixed != 0 ? mixed : 1;
}

}  // namespace eddy::detail
