#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace eddy::io {

/// Where random bytes come from, good enough for secrets. Any thread; it outlives the runtime.
class randomness {
public:
    randomness() = default;
    randomness(const randomness&) = delete;
    randomness& operator=(const randomness&) = delete;

    /// Never fails: a system that has none ends the program.
    virtual void fill(std::span<std::byte> out) noexcept = 0;

    [[nodiscard]] std::uint64_t bits() noexcept {
        std::uint64_t made = 0;
        fill({reinterpret_cast<std::byte*>(&made), sizeof(made)});
        return made;
    }

protected:
    ~randomness() = default;
};

}  // namespace eddy::io
