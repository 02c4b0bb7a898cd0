#include "support/seed.hpp"

#include <eddy/io/endpoint.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

namespace eddy::endpoint_test {

void PrintTo(const endpoint& printed, std::ostream* out) {
    *out << printed.to_string();
}

namespace {

struct written {
    const char* input;
    const char* canonical;  // with port 80
};

class readable_address : public ::testing::TestWithParam<written> {};

TEST_P(readable_address, is_read_and_written_canonically) {
    const auto read = endpoint::parse(GetParam().input, 80);
    ASSERT_TRUE(read.has_value()) << GetParam().input;
    EXPECT_EQ(read->to_string(), GetParam().canonical) << GetParam().input;
    EXPECT_EQ(read->port(), 80);
}

INSTANTIATE_TEST_SUITE_P(
    endpoint, readable_address,
    ::testing::Values(
        written{"0.0.0.0", "0.0.0.0:80"}, written{"127.0.0.1", "127.0.0.1:80"},
        written{"255.255.255.255", "255.255.255.255:80"}, written{"::", "[::]:80"},
        written{"::1", "[::1]:80"}, written{"[::1]", "[::1]:80"}, written{"1::", "[1::]:80"},
        // RFC 5952: no leading zeros, lower case, the longest run, the first of equals, never a single group.
        written{"2001:0db8:0000:0000:0000:0000:0002:0001", "[2001:db8::2:1]:80"},
        written{"2001:DB8::ABCD", "[2001:db8::abcd]:80"},
        written{"2001:db8:0:1:1:1:1:1", "[2001:db8:0:1:1:1:1:1]:80"},
        written{"2001:db8::1:1:1:1:1", "[2001:db8:0:1:1:1:1:1]:80"},
        written{"2001:0:0:1:0:0:0:1", "[2001:0:0:1::1]:80"},
        written{"2001:db8:0:0:1:0:0:1", "[2001:db8::1:0:0:1]:80"},
        written{"0:0:0:1:0:0:0:0", "[0:0:0:1::]:80"}, written{"0:0:0:0:1:0:0:0", "[::1:0:0:0]:80"},
        written{"1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]:80"},
        written{"1:2:3:4:5:6:7::", "[1:2:3:4:5:6:7:0]:80"},
        written{"::2:3:4:5:6:7:8", "[0:2:3:4:5:6:7:8]:80"},
        written{"::ffff:192.0.2.1", "[::ffff:192.0.2.1]:80"},
        written{"::ffff:c000:201", "[::ffff:192.0.2.1]:80"}, written{"::192.0.2.1", "[::c000:201]:80"},
        written{"64:ff9b::192.0.2.33", "[64:ff9b::c000:221]:80"},
        written{"1:2:3:4:5:6:1.2.3.4", "[1:2:3:4:5:6:102:304]:80"}, written{"fe80::1%2", "[fe80::1%2]:80"},
        written{"[fe80::1%4294967295]", "[fe80::1%4294967295]:80"}, written{"fe80::1%0", "[fe80::1]:80"}));

class unreadable_address : public ::testing::TestWithParam<const char*> {};

TEST_P(unreadable_address, is_an_invalid_argument) {
    const auto read = endpoint::parse(GetParam(), 80);
    ASSERT_FALSE(read.has_value()) << read->to_string();
    EXPECT_EQ(read.error(), std::errc::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(
    endpoint, unreadable_address,
    ::testing::Values("", " ", ".", ":", "1", "1.2.3", "1.2.3.", ".1.2.3", "1.2.3.4.", "1.2.3.4.5", "1..2.3",
                      "256.1.1.1", "1.2.3.256", "1.2.3.1000", "01.2.3.4", "1.2.3.00", "1.2.3.-4", "1.2.3.+4",
                      "0x1.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4:80", "[1.2.3.4]", "localhost",
                      ":::", "1:::2", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
                      "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1::2:3:4:5:6:7:8", ":1:2:3:4:5:6:7:8",
                      "1:2:3:4:5:6:7:8:", "1:2:3:4:5:6:7:", ":1", "1:", "12345::", "::12345", "::g", "::0x1",
                      "::-1", "::+1", "1.2.3.4::", "::1.2.3", "::1.2.3.4.5", "::1.2.3.4:5", "::256.2.3.4",
                      "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "[::1", "::1]", "[]", "[[::1]]",
                      "[::1]:80", "::1%", "::1%eth0", "::1%-1", "::1%4294967296", "::1%1%2", "%1", "::1 ",
                      "::\t1"));

TEST(endpoint, with_a_zero_byte_inside_is_unreadable) {
    EXPECT_FALSE(endpoint::parse(std::string_view("::1\0", 4), 1).has_value());
    EXPECT_FALSE(endpoint::parse(std::string_view("1.2.3\0.4", 8), 1).has_value());
}

TEST(endpoint, that_was_written_reads_back_as_itself) {
    auto generator = test::seeded_generator();
    for (int round = 0; round < 20'000; ++round) {
        std::array<std::uint8_t, 16> address{};
        for (auto& byte : address)
            byte = test::between(generator, 0, 2) == 0
                       ? static_cast<std::uint8_t>(test::between<unsigned>(generator, 0, 255))
                       : std::uint8_t{0};
        const auto port = static_cast<std::uint16_t>(test::between<unsigned>(generator, 0, 65535));
        const auto scope =
            test::between<std::uint32_t>(generator, 0, 1) * static_cast<std::uint32_t>(generator());
        const bool is_ipv4 = round % 4 == 0;
        const endpoint original = is_ipv4
                                      ? endpoint::ipv4({address[0], address[1], address[2], address[3]}, port)
                                      : endpoint::ipv6(address, port, scope);
        const std::string text = original.to_string();
        const std::size_t colon = text.rfind(':');
        ASSERT_EQ(text.substr(colon + 1), std::to_string(port));
        const auto read = endpoint::parse(text.substr(0, colon), port);
        ASSERT_TRUE(read.has_value()) << text;
        ASSERT_EQ(*read, original) << text;
    }
}

TEST(endpoint, of_random_text_is_never_accepted_without_reason) {
    auto generator = test::seeded_generator();
    constexpr std::string_view letters = "0123456789abcdefF:.[]% ";
    for (int round = 0; round < 200'000; ++round) {
        std::string text;
        const int length = test::between(generator, 0, 24);
        for (int at = 0; at < length; ++at)
            text += letters[test::between<std::size_t>(generator, 0, letters.size() - 1)];
        const auto read = endpoint::parse(text, 1);
        if (!read)
            continue;
        // What is accepted means the same when it is written and read again.
        const std::string canonical = read->to_string();
        const auto again = endpoint::parse(canonical.substr(0, canonical.rfind(':')), 1);
        ASSERT_TRUE(again.has_value()) << text << " -> " << canonical;
        ASSERT_EQ(*again, *read) << text << " -> " << canonical;
    }
}

TEST(endpoint, is_nowhere_at_first) {
    EXPECT_EQ(endpoint().to_string(), "0.0.0.0:0");
    EXPECT_EQ(endpoint(), endpoint::any_ipv4(0));
}

TEST(endpoint, names_the_loopback_of_both_families) {
    EXPECT_EQ(endpoint::loopback_ipv4(1).to_string(), "127.0.0.1:1");
    EXPECT_EQ(endpoint::loopback_ipv6(65535).to_string(), "[::1]:65535");
    EXPECT_EQ(endpoint::any_ipv6(0).to_string(), "[::]:0");
    EXPECT_NE(endpoint::any_ipv4(0), endpoint::any_ipv6(0));
}

}  // namespace
}  // namespace eddy::endpoint_test
