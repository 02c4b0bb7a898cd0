#pragma once

#include <cstddef>
#include <cstdint>

namespace eddy::detail {

/// The seed of a runtime: the one of its options, else that of EDDY_SHUFFLE, else 0, which is none. Throws
/// std::invalid_argument when EDDY_SHUFFLE decides and is no number.
[[nodiscard]] std::uint64_t shuffle_seed(std::uint64_t wanted);

/// The seed of one worker; not 0 unless the runtime's is.
[[nodiscard]] std::uint64_t shuffle_seed_of(std::size_t worker, std::uint64_t seed) noexcept;

}  // namespace eddy::detail
