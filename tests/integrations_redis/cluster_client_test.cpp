#include "support/free_port.hpp"
#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/integrations/redis/cluster_client.hpp>
#include <eddy/integrations/redis/detail/hash_slot.hpp>
#include <eddy/integrations/redis/scan.hpp>
#include <eddy/integrations/redis/script.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::redis::cluster_client_test {
namespace {

using test::run_bounded;

/// Three masters that share the slots.
class cluster {
public:
    cluster() {
        for (auto& each : buses) {
            each = test::free_port();
            servers.push_back(std::make_unique<test::redis_server>(std::vector<std::string>{
                "--cluster-enabled", "yes", "--cluster-port", std::to_string(each), "--cluster-node-timeout",
                "1000", "--cluster-require-full-coverage", "no"}));
        }
    }
    /// Gives them slots and lets them meet. Waits until all know of all.
    task<> unite() {
        constexpr std::array<std::pair<int, int>, 3> ranges{{{0, 5460}, {5461, 10922}, {10923, 16383}}};
        for (std::size_t at = 0; at != servers.size(); ++at) {
            nodes.push_back(std::make_unique<client>(servers[at]->options()));
            co_await nodes[at]->command("CLUSTER", "ADDSLOTSRANGE", ranges[at].first, ranges[at].second);
            co_await nodes[at]->command("CLUSTER", "SET-CONFIG-EPOCH", at + 1);
            if (at != 0)
                co_await nodes[0]->command("CLUSTER", "MEET", "127.0.0.1", servers[at]->port(), buses[at]);
        }
        for (const auto& each : nodes) {
            for (bool is_united = false; !is_united;) {
                const reply known = co_await each->command("CLUSTER", "SLOTS");
                const reply info = co_await each->command("CLUSTER", "INFO");
                is_united = known.elements().size() == servers.size() &&
                            info.text().find("cluster_state:ok") != std::string::npos;
                co_await test::turns(1);
            }
            const reply id = co_await each->command("CLUSTER", "MYID");
            ids.push_back(id.text());
        }
    }
    std::vector<options> seeds() const { return {servers[1]->options()}; }

    std::array<std::uint16_t, 3> buses{};
    std::vector<std::unique_ptr<test::redis_server>> servers;
    std::vector<std::unique_ptr<client>> nodes;
    std::vector<std::string> ids;
};

TEST(hash_slots, are_those_of_the_specification) {
    EXPECT_EQ(hash_slot("123456789"), 0x31c3);
    EXPECT_EQ(hash_slot("foo"), 12182);
    EXPECT_EQ(hash_slot(""), 0);
    EXPECT_EQ(hash_slot("{user1000}.following"), hash_slot("user1000"));
    EXPECT_EQ(hash_slot("foo{{bar}}zap"), hash_slot("{bar"));
    EXPECT_EQ(hash_slot("foo{bar}{zap}"), hash_slot("bar"));
    EXPECT_NE(hash_slot("{}one"), hash_slot("{}two")) << "an empty tag is none";
    EXPECT_NE(hash_slot("foo{}{bar}"), hash_slot("bar"));
}

TEST(a_cluster_client, finds_the_node_of_each_key) {
    run_bounded([]() -> task<> {
        cluster whole;
        co_await whole.unite();
        cluster_client used(whole.seeds());
        pipeline filling;
        for (int number = 0; number < 300; ++number)
            filling.add("SET", "key" + std::to_string(number), number);
        const auto filled = co_await used.run(filling);
        for (const reply& each : filled)
            EXPECT_TRUE(each.as<bool>());
        for (int number = 0; number < 300; ++number) {
            const reply got = co_await used.command("GET", "key" + std::to_string(number));
            EXPECT_EQ(got.as<int>(), number);
        }
        std::set<std::string> found;
        const auto masters = co_await used.masters();
        EXPECT_EQ(masters.size(), 3U);
        for (const auto& each : masters) {
            auto keys = scan(*each);
            const std::size_t before = found.size();
            for (;;) {
                auto key = co_await keys.next();
                if (!key)
                    break;
                found.insert(*std::move(key));
            }
            EXPECT_GT(found.size(), before);
        }
        EXPECT_EQ(found.size(), 300U);

        pipeline change;
        change.add("SET", "{a}1", 1).add("INCR", "{a}1").add("SET", "{a}2", 5);
        const auto changed = co_await used.transact(change);
        EXPECT_EQ(changed.at(1).as<int>(), 2);
        change.add("SET", "b", 1);
        bool is_refused = false;
        try {
            co_await used.transact(change);
        } catch (const std::invalid_argument&) {
            is_refused = true;
        }
        EXPECT_TRUE(is_refused);

        const script sum("return redis.call('GET', KEYS[1]) + redis.call('GET', KEYS[2])");
        const std::vector<std::string> keys{"{a}1", "{a}2"};
        const reply summed = co_await sum.run(used, keys);
        EXPECT_EQ(summed.as<int>(), 7);
    }());
}

TEST(a_cluster_client, follows_a_slot_that_moves_and_one_that_has_moved) {
    run_bounded([]() -> task<> {
        cluster whole;
        co_await whole.unite();
        cluster_client used(whole.seeds());
        const std::string key = "foo";  // slot 12182, of the third node
        const auto slot = hash_slot(key);
        co_await used.command("SET", key, "before");
        co_await used.command("DEL", key);

        // While it moves, keys that are not at the old place any more are asked for at the new one.
        client& source = *whole.nodes[2];
        client& target = *whole.nodes[0];
        co_await target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", whole.ids[2]);
        co_await source.command("CLUSTER", "SETSLOT", slot, "MIGRATING", whole.ids[0]);
        co_await used.command("SET", key, "moving");
        const reply requested = co_await used.command("GET", key);
        EXPECT_EQ(requested.text(), "moving");
        const reply elsewhere = co_await target.command("CLUSTER", "COUNTKEYSINSLOT", slot);
        EXPECT_EQ(elsewhere.as<int>(), 1);

        for (client* each : {&target, &source, whole.nodes[1].get()})
            co_await each->command("CLUSTER", "SETSLOT", slot, "NODE", whole.ids[0]);
        const reply moved = co_await used.command("GET", key);
        EXPECT_EQ(moved.text(), "moving");
        pipeline several;
        several.add("GET", key).add("APPEND", key, "!");
        const auto answers = co_await used.run(several);
        EXPECT_EQ(answers.at(1).as<int>(), 7);
        const auto executed = co_await used.transact(several);
        EXPECT_EQ(executed.at(0).text(), "moving!");
    }());
}

TEST(a_node_that_is_away, is_an_error_for_its_keys_only_until_it_is_back) {
    run_bounded([]() -> task<> {
        cluster whole;
        co_await whole.unite();
        cluster_client used(whole.seeds());
        used.redirections_max(2);
        co_await used.command("SET", "foo", 1);  // the third node's
        co_await used.command("SET", "bar", 1);  // slot 5061, the first node's
        whole.servers[2]->stop();
        bool is_noticed = false;
        while (!is_noticed) {
            const auto lost = co_await as_result(used.command("SET", "foo", 2));
            is_noticed = !lost;
        }
        const reply other = co_await used.command("INCR", "bar");
        EXPECT_EQ(other.as<int>(), 2);
        whole.servers[2]->start();
        used.redirections_max(16);
        bool is_back = false;
        while (!is_back) {
            const auto answer = co_await as_result(used.command("SET", "foo", 3));
            is_back = answer.has_value();
            co_await test::turns(1);
        }
        const reply back = co_await used.command("GET", "foo");
        EXPECT_EQ(back.as<int>(), 3);
    }());
}

}  // namespace
}  // namespace eddy::redis::cluster_client_test
