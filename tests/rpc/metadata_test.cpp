#include "rpc/timeout.hpp"
#include "rpc/wire_metadata.hpp"

#include <eddy/rpc/metadata.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::rpc::metadata_test {
namespace {

using namespace std::chrono_literals;

TEST(rpc_metadata, keeps_what_is_added_in_order) {
    metadata all;
    EXPECT_TRUE(all.empty());
    all.add("b", "1").add("A-x_y.z", "2").add("b", "3");
    EXPECT_EQ(3U, all.size());
    EXPECT_EQ("1", all.find("b"));
    EXPECT_EQ("2", all.find("a-x_y.z"));
    EXPECT_EQ((std::vector<std::string_view>{"1", "3"}), all.find_all("b"));
    EXPECT_EQ(std::nullopt, all.find("c"));
}

TEST(rpc_metadata, refuses_what_the_wire_does_not_carry) {
    metadata all;
    for (const char* name :
         {"", "a b", ":path", "a\n", "\xc3\xbc", "te", "grpc-status", "Content-Type", "host"})
        EXPECT_THROW(all.add(name, "x"), std::invalid_argument) << name;
    for (const char* value : {"\n", "\t", " x", "x ", "\x7f", "\xc3\xbc"})
        EXPECT_THROW(all.add("a", value), std::invalid_argument) << value;
    EXPECT_TRUE(all.empty());
    all.add("a-bin", "\n\xc3").add("a", "").add("a", "a b~");
    EXPECT_EQ(3U, all.size());
}

TEST(rpc_metadata, messages_of_a_status_are_escaped) {
    EXPECT_EQ("a b%25%0A%C3%BC%7F", encode_message("a b%\n\xc3\xbc\x7f"));
    EXPECT_EQ("a b%\n\xc3\xbc\x7f", decode_message("a b%25%0a%C3%BC%7F"));
    EXPECT_EQ("%", decode_message("%"));
    EXPECT_EQ("%4", decode_message("%4"));
    EXPECT_EQ("%gg%", decode_message("%gg%"));
}

TEST(rpc_metadata, timeouts_have_a_unit) {
    EXPECT_EQ("0n", timeout_text(-1s));
    EXPECT_EQ("1n", timeout_text(1ns));
    EXPECT_EQ("99999999n", timeout_text(99'999'999ns));
    EXPECT_EQ("100000u", timeout_text(100ms));
    EXPECT_EQ("100001u", timeout_text(100ms + 1ns));
    EXPECT_EQ("100000m", timeout_text(100s));
    EXPECT_EQ("2562048H", timeout_text(duration::max()));
    EXPECT_EQ(1ns, timeout_from("1n"));
    EXPECT_EQ(2us, timeout_from("2u"));
    EXPECT_EQ(3ms, timeout_from("3m"));
    EXPECT_EQ(4s, timeout_from("4S"));
    EXPECT_EQ(5min, timeout_from("5M"));
    EXPECT_EQ(6h, timeout_from("6H"));
    EXPECT_LT(2'000'000h, timeout_from("99999999H"));
    for (const char* text : {"", "n", "1", "-1n", "+1n", "1s", "1.n", "123456789n", " 1n", "1 n"})
        EXPECT_EQ(std::nullopt, timeout_from(text)) << text;
}

}  // namespace
}  // namespace eddy::rpc::metadata_test
