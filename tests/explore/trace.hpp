#pragma once

#include "explore/operation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace eddy::explore {

/// One step of a run.
struct step {
    unsigned thread = 0;
    operation what;
    std::uint64_t seen = 0;
    std::uint64_t left = 0;
};

/// An atomic of a run, named after the thread that made it and how many that had made before.
struct object_name {
    unsigned maker = 0;
    unsigned ordinal = 0;
    const char* type = nullptr;
};

/// "a2 (bool)": the third that thread a made. The state's own are s0, s1, ...
[[nodiscard]] std::string describe(const object_name& named, unsigned threads);
/// "mutex.cpp:12".
[[nodiscard]] std::string describe(const std::source_location& where);
/// The steps, one a line.
[[nodiscard]] std::string describe(const std::vector<step>& steps, const std::vector<object_name>& objects,
                                   unsigned threads);
/// One digit a step: which thread made it.
[[nodiscard]] std::string schedule_of(const std::vector<step>& steps);

[[nodiscard]] const char* name_of(action what) noexcept;

}  // namespace eddy::explore
