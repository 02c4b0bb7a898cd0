#pragma once

#include <cstddef>
#include <string>

namespace eddy::test {

/// Text in which every position can be told: lines of eight characters that count.
inline std::string numbered_text(std::size_t size) {
    constexpr std::size_t line_size = 8;
    std::string text(size + line_size, '\n');
    for (std::size_t begin = 0; begin < size; begin += line_size) {
        std::size_t number = begin / line_size;
        for (std::size_t digit = line_size - 1; digit-- > 0; number /= 10)
            text[begin + digit] = static_cast<char>('0' + number % 10);
    }
    text.resize(size);
    return text;
}

}  // namespace eddy::test
