#include <eddy/integrations/redis/detail/reply_reader.hpp>
#include <eddy/integrations/redis/reply.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::redis::reply_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// The one reply that some bytes make up.
reply read(std::string_view text) {
    reply_reader reader;
    reader.feed(bytes_of(text));
    auto got = reader.next();
    EXPECT_TRUE(got.has_value());
    EXPECT_FALSE(reader.next().has_value());
    return got.value_or(reply());
}

/// What reading fails with.
std::error_code failure_of(std::string_view text, const reply_limits& limits = {}) {
    reply_reader reader(limits);
    try {
        for (const char each : text) {
            reader.feed(bytes_of(std::string_view(&each, 1)));
            static_cast<void>(reader.next());
        }
    } catch (const std::system_error& thrown) {
        return thrown.code();
    }
    return {};
}

template <class T>
std::error_code refusal_of(const reply& given) {
    try {
        static_cast<void>(given.as<T>());
    } catch (const std::system_error& thrown) {
        return thrown.code();
    }
    return {};
}

TEST(a_reply, is_read_of_every_kind) {
    EXPECT_EQ(read("+OK\r\n"), reply(reply_kind::status, "OK"));
    EXPECT_EQ(read("-ERR no\r\n"), reply(reply_kind::error, "ERR no"));
    EXPECT_EQ(read(":-42\r\n"), reply(-42));
    EXPECT_EQ(read("$3\r\na\nb\r\n"), reply(reply_kind::string, "a\nb"));
    EXPECT_EQ(read("$0\r\n\r\n"), reply(reply_kind::string, ""));
    EXPECT_EQ(read("$-1\r\n"), reply());
    EXPECT_EQ(read("*-1\r\n"), reply());
    EXPECT_EQ(read("*0\r\n"), reply(std::vector<reply>()));
    const reply nested = read("*3\r\n*2\r\n:1\r\n*1\r\n$1\r\nx\r\n$-1\r\n+s\r\n");
    EXPECT_EQ(nested.elements().at(0).elements().at(1).elements().at(0).text(), "x");
    EXPECT_TRUE(nested.elements().at(1).is_nil());
    EXPECT_EQ(nested.elements().at(2).text(), "s");
}

TEST(replies, are_the_same_however_the_bytes_come) {
    const std::string all = "*2\r\n*3\r\n:1\r\n$2\r\nab\r\n-E x\r\n$-1\r\n+OK\r\n:7\r\n";
    for (std::size_t cut = 1; cut < all.size(); ++cut) {
        reply_reader reader;
        std::vector<reply> got;
        for (std::size_t at = 0; at < all.size(); at += cut) {
            reader.feed(bytes_of(std::string_view(all).substr(at, cut)));
            while (auto next = reader.next())
                got.push_back(*std::move(next));
        }
        ASSERT_EQ(got.size(), 3U);
        EXPECT_EQ(got[0].elements().at(0).elements().at(1).text(), "ab");
        EXPECT_EQ(got[2].integer(), 7);
    }
}

TEST(bytes_that_are_no_resp, are_an_error) {
    for (const char* wrong : {"hello\r\n", "*x\r\n", "$-7\r\n", ":1x\r\n", "*-5\r\n"})
        EXPECT_EQ(failure_of(wrong), client_error::protocol) << wrong;
}

// Newer versions of hiredis read them, older ones do not: no program of ours gets to see them either way.
TEST(replies_of_resp3, are_an_error) {
    for (const char* wrong : {",1.5\r\n", "#t\r\n", "%1\r\n+a\r\n:1\r\n", "~1\r\n:1\r\n", ">1\r\n:1\r\n",
                              "(12345678901\r\n", "=5\r\ntxt:a\r\n", "*2\r\n:1\r\n#f\r\n"})
        EXPECT_EQ(failure_of(wrong), client_error::protocol) << wrong;
}

TEST(limits, hold_before_memory_is_taken) {
    EXPECT_EQ(failure_of("*2000000000\r\n"), client_error::limit_exceeded);
    EXPECT_EQ(failure_of("*3\r\n:1\r\n", reply_limits().elements_max(2)), client_error::limit_exceeded);
    EXPECT_EQ(failure_of("*2\r\n*2\r\n:1\r\n:2\r\n:3\r\n", reply_limits().elements_max(3)),
              client_error::limit_exceeded);
    EXPECT_EQ(failure_of("*2\r\n*1\r\n:1\r\n:2\r\n", reply_limits().elements_max(3)), std::error_code());
    EXPECT_EQ(failure_of("$100\r\n0123456789", reply_limits().bytes_max(10)), client_error::limit_exceeded);
    EXPECT_EQ(failure_of("+0123456789012", reply_limits().bytes_max(10)), client_error::limit_exceeded);
    EXPECT_EQ(failure_of("*1\r\n*1\r\n*1\r\n:1\r\n", reply_limits().nesting_max(2)),
              client_error::limit_exceeded);
    EXPECT_EQ(failure_of("*1\r\n*1\r\n:1\r\n", reply_limits().nesting_max(2)), std::error_code());
    std::string deep;
    for (int level = 0; level < 20; ++level)
        deep += "*1\r\n";
    EXPECT_EQ(failure_of(deep), client_error::limit_exceeded);
    // Many small replies in a row are not one large one.
    std::string many;
    for (int count = 0; count < 100; ++count)
        many += "+OK\r\n";
    EXPECT_EQ(failure_of(many, reply_limits().bytes_max(10)), std::error_code());
}

TEST(as, makes_numbers_of_integers_and_of_text) {
    EXPECT_EQ(reply(7).as<int>(), 7);
    EXPECT_EQ(reply(reply_kind::string, "-7").as<std::int64_t>(), -7);
    EXPECT_EQ(reply(reply_kind::string, "0.5").as<double>(), 0.5);
    EXPECT_EQ(refusal_of<std::uint8_t>(reply(256)), client_error::wrong_type);
    EXPECT_EQ(refusal_of<unsigned>(reply(-1)), client_error::wrong_type);
    EXPECT_EQ(refusal_of<int>(reply(reply_kind::string, "7x")), client_error::wrong_type);
    EXPECT_EQ(refusal_of<int>(reply(reply_kind::string, "")), client_error::wrong_type);
    EXPECT_EQ(refusal_of<int>(reply()), client_error::wrong_type);
}

TEST(as, makes_yes_and_no_of_what_commands_answer) {
    EXPECT_TRUE(reply(1).as<bool>());
    EXPECT_FALSE(reply(0).as<bool>());
    EXPECT_TRUE(reply(reply_kind::status, "OK").as<bool>());
    EXPECT_FALSE(reply().as<bool>());
    EXPECT_EQ(refusal_of<bool>(reply(2)), client_error::wrong_type);
}

TEST(as, makes_containers_of_arrays) {
    const reply flat = read("*4\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n:2\r\n");
    EXPECT_EQ((flat.as<std::map<std::string, int>>()), (std::map<std::string, int>{{"a", 1}, {"b", 2}}));
    EXPECT_EQ((flat.as<std::vector<std::string>>()), (std::vector<std::string>{"a", "1", "b", "2"}));
    EXPECT_EQ((flat.as<std::tuple<std::string, int, std::string, int>>()), std::tuple("a", 1, "b", 2));
    const reply pairs = read("*2\r\n*2\r\n$1\r\na\r\n:1\r\n*2\r\n$1\r\nb\r\n:2\r\n");
    EXPECT_EQ((pairs.as<std::map<std::string, int>>()), (flat.as<std::map<std::string, int>>()));
    EXPECT_EQ((pairs.as<std::vector<std::pair<std::string, int>>>().at(1).second), 2);
    const reply gaps = read("*2\r\n$-1\r\n$1\r\nx\r\n");
    EXPECT_EQ((gaps.as<std::vector<std::optional<std::string>>>().at(0)), std::nullopt);
    EXPECT_EQ((refusal_of<std::vector<std::string>>(gaps)), client_error::wrong_type);
    EXPECT_EQ((read("*2\r\n:1\r\n:1\r\n").as<std::set<int>>().size()), 1U);
    EXPECT_EQ((refusal_of<std::pair<int, int>>(read("*1\r\n:1\r\n"))), client_error::wrong_type);
    EXPECT_EQ((refusal_of<std::map<int, int>>(read("*1\r\n:1\r\n"))), client_error::wrong_type);
}

TEST(as, throws_an_error_reply_wherever_it_stands) {
    EXPECT_THROW(static_cast<void>(read("-WRONGTYPE x\r\n").as<int>()), error);
    EXPECT_THROW(static_cast<void>(read("-ERR\r\n").as<std::optional<int>>()), error);
    EXPECT_THROW(static_cast<void>(read("*2\r\n:1\r\n-ERR x\r\n").as<std::vector<int>>()), error);
    EXPECT_EQ(error("WRONGTYPE Operation").code(), "WRONGTYPE");
    EXPECT_EQ(error("ERR").code(), "ERR");
}

}  // namespace
}  // namespace eddy::redis::reply_test
