#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"

#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/scan.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace eddy::redis::scan_test {
namespace {

TEST(scan, gives_all_keys_that_match) {
    test::run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        pipeline filling;
        for (int number = 0; number < 500; ++number)
            filling.add("SET", "user:" + std::to_string(number), number);
        filling.add("SET", "other", 1).add("SADD", "user:set", "x");
        co_await used.run(filling);
        std::set<std::string> found;
        auto keys = scan(used, scan_options().match("user:*").type("string").count(20));
        for (;;) {
            auto key = co_await keys.next();
            if (!key)
                break;
            found.insert(*key);
        }
        EXPECT_EQ(found.size(), 500U);
        EXPECT_FALSE(found.contains("other"));
    }());
}

TEST(scan, gives_the_members_of_sets_and_hashes) {
    test::run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        std::map<std::string, std::string> fields;
        std::map<std::string, double> scores;
        for (int number = 0; number < 1000; ++number) {
            fields["field" + std::to_string(number)] = std::to_string(number);
            co_await used.command("ZADD", "sorted", number + 0.5, "m" + std::to_string(number));
            scores["m" + std::to_string(number)] = number + 0.5;
        }
        co_await used.command("HSET", "hash", fields);
        co_await used.command("SADD", "set", "a", "b");

        std::map<std::string, std::string> found;
        auto pairs = scan_hash(used, "hash");
        for (;;) {
            auto pair = co_await pairs.next();
            if (!pair)
                break;
            found.insert(*pair);
        }
        EXPECT_EQ(found, fields);
        std::map<std::string, double> ranked;
        auto members = scan_sorted_set(used, "sorted");
        for (;;) {
            auto member = co_await members.next();
            if (!member)
                break;
            ranked.insert(*member);
        }
        EXPECT_EQ(ranked, scores);
        auto elements = scan_set(used, "set");
        std::size_t count = 0;
        for (;;) {
            auto element = co_await elements.next();
            if (!element)
                break;
            ++count;
        }
        EXPECT_EQ(count, 2U);
    }());
}

}  // namespace
}  // namespace eddy::redis::scan_test
