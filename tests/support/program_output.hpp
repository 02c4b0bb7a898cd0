#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace eddy::test {

/// What a command of the shell prints, standard error included, within a minute.
inline std::string output_of(const std::string& command) {
    FILE* const pipe = ::popen(("timeout 60 " + command + " 2>&1").c_str(), "r");
    if (pipe == nullptr)
        return "popen failed";
    std::string text;
    std::array<char, 256> part{};
    while (std::fgets(part.data(), part.size(), pipe) != nullptr)
        text += part.data();
    ::pclose(pipe);
    return text;
}

}  // namespace eddy::test
