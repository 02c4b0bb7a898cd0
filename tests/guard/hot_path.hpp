#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace eddy::guard {

/// A step that programs make very often, in a loop of its own.
struct hot_path {
    std::string_view name;
    /// Makes the step so many times. What it needs is made before, and the same for any number.
    void (*run)(std::uint64_t times);
};

std::span<const hot_path> task_paths() noexcept;
std::span<const hot_path> waiting_paths() noexcept;
std::span<const hot_path> io_paths() noexcept;
std::span<const hot_path> http2_paths() noexcept;

}  // namespace eddy::guard
