#include <eddy/combine/select.hpp>

#include <cstdint>

namespace eddy::detail {

std::size_t random_place(std::size_t count) noexcept {
    // A linear congruential generator, whose upper bits are the random ones.
    static thread_local std::uint64_t state = 0x9e37'79b9'7f4a'7c15U;
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state >> 33) % count);
}

}  // namespace eddy::detail
