#include <eddy/integrations/redis/request.hpp>

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::redis::request_test {
namespace {

TEST(a_request, is_an_array_of_its_arguments) {
    const std::string text = "value";
    const request made("SET", std::string_view("k\0y", 3), text, "EX", 60);
    EXPECT_EQ(made.bytes(),
              std::string("*5\r\n$3\r\nSET\r\n$3\r\nk\0y\r\n$5\r\nvalue\r\n$2\r\nEX\r\n$2\r\n60\r\n", 49));
    EXPECT_EQ(made.arguments(),
              (std::vector<std::string_view>{"SET", std::string_view("k\0y", 3), "value", "EX", "60"}));
}

TEST(ranges_and_pairs, give_their_elements) {
    const std::map<std::string, double> scores{{"a", 0.5}, {"b", -2}};
    const std::vector<std::string> names{"x", "y"};
    const request made("C", scores, names, std::vector<int>());
    EXPECT_EQ(made.arguments(), (std::vector<std::string_view>{"C", "a", "0.5", "b", "-2", "x", "y"}));
    EXPECT_THROW(request(std::vector<std::string>()), std::invalid_argument);
}

TEST(the_first_key, stands_where_the_command_has_it) {
    using key = std::optional<std::string_view>;
    EXPECT_EQ(first_key(request("get", "a")), key("a"));
    EXPECT_EQ(first_key(request("MSET", "a", 1, "b", 2)), key("a"));
    EXPECT_EQ(first_key(request("PING")), key());
    EXPECT_EQ(first_key(request("info", "server")), key());
    EXPECT_EQ(first_key(request("EVAL", "return 1", 0, "x")), key());
    EXPECT_EQ(first_key(request("EVALSHA", "abc", 1, "k", "x")), key("k"));
    EXPECT_EQ(first_key(request("OBJECT", "ENCODING", "k")), key("k"));
    EXPECT_EQ(first_key(request("BITOP", "AND", "to", "from")), key("to"));
    EXPECT_EQ(first_key(request("XREAD", "COUNT", 2, "STREAMS", "s", 0)), key("s"));
    EXPECT_EQ(first_key(request("LMPOP", 1, "list", "LEFT")), key("list"));
    EXPECT_EQ(first_key(request("BLMPOP", 0, 1, "list", "LEFT")), key("list"));
    EXPECT_EQ(first_key(request("UNKNOWN", "k")), key("k"));
    EXPECT_EQ(first_key(request("UNKNOWN")), key());
}

}  // namespace
}  // namespace eddy::redis::request_test
