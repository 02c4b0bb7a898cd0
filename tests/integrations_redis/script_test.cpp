#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"

#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/script.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace eddy::redis::script_test {
namespace {

TEST(a_script, is_sent_as_a_whole_only_where_its_digest_is_not_known) {
    test::run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        const script add("return redis.call('INCRBY', KEYS[1], ARGV[1])");
        const std::vector<std::string> keys{"sum"};
        for (int round = 1; round <= 3; ++round) {
            const reply sum = co_await add.run(used, keys, 5);
            EXPECT_EQ(sum.as<int>(), 5 * round);
        }
        const reply calls = co_await used.command("INFO", "commandstats");
        EXPECT_NE(calls.text().find("cmdstat_eval:calls=1,"), std::string::npos);
        EXPECT_NE(calls.text().find("cmdstat_evalsha:calls=3,"), std::string::npos);
        co_await used.command("SCRIPT", "FLUSH");
        const reply again = co_await add.run(used, keys, 1);
        EXPECT_EQ(again.as<int>(), 16);
    }());
}

TEST(a_script, has_the_sha1_of_its_source) {
    EXPECT_EQ(script("return 1").digest(), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
}

TEST(an_error_of_a_script, is_the_servers) {
    test::run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        const script failing("return redis.error_reply('MINE and no other')");
        const std::vector<std::string> keys;
        std::string code;
        try {
            co_await failing.run(used, keys);
        } catch (const error& thrown) {
            code = thrown.code();
        }
        EXPECT_EQ(code, "MINE");
    }());
}

}  // namespace
}  // namespace eddy::redis::script_test
