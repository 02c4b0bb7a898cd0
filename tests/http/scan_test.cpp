#include "http/message/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>

namespace eddy::http::scan_test {
namespace {

std::size_t find_control_simply(const std::string& bytes, std::size_t from) {
    while (from < bytes.size() && is(bytes[from], character::field)) {
        ++from;
    }
    return from;
}

TEST(scan, finds_each_byte_at_each_place) {
    for (std::size_t size = 0; size < 40; ++size) {
        for (std::size_t at = 0; at < size; ++at) {
            for (int byte = 0; byte < 256; ++byte) {
                std::string text(size, byte == 0x80 ? '\t' : '\x80');
                text[at] = static_cast<char>(byte);
                const std::size_t expected = find_control_simply(text, 0);
                ASSERT_EQ(find_control(text.data(), 0, size), expected)
                    << byte << " at " << at << " of " << size;
                ASSERT_EQ(find_control_portable(text.data(), 0, size), expected) << byte << " at " << at;
            }
        }
    }
}

TEST(scan, finds_the_first_colon_from_anywhere_and_none_outside) {
    for (std::size_t size = 0; size < 50; ++size) {
        for (std::size_t at = 0; at < size; ++at) {
            std::string text(size, 'x');
            text[at] = ':';
            text[size - 1] = ':';
            for (std::size_t from = 0; from <= size; ++from) {
                ASSERT_EQ(find_colon(text.data(), from, size), std::min(text.find(':', from), size))
                    << at << " from " << from << " of " << size;
            }
        }
        const std::string none = std::string(size, 'x') + ':';
        ASSERT_EQ(find_colon(none.data(), 0, size), size);
    }
}

TEST(scan, agrees_with_the_simple_loop_from_anywhere) {
    const unsigned seed = std::random_device()();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 2000; ++round) {
        std::string text(random() % 70, 'x');
        for (char& byte : text) {
            byte =
                random() % 20 == 0 ? static_cast<char>(random()) : static_cast<char>(0x20 + random() % 0x5f);
        }
        for (std::size_t from = 0; from <= text.size(); ++from) {
            ASSERT_EQ(find_control(text.data(), from, text.size()), find_control_simply(text, from));
            ASSERT_EQ(find_control_portable(text.data(), from, text.size()), find_control_simply(text, from));
        }
    }
}

}  // namespace
}  // namespace eddy::http::scan_test
