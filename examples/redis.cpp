// Commands, pipelines, transactions, scripts, scans and messages of a Redis server.
//
//     redis-server --port 6390 --save "" &
//     build/release/examples/redis redis://127.0.0.1:6390

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/eddy.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/scan.hpp>
#include <eddy/integrations/redis/script.hpp>
#include <eddy/integrations/redis/subscriber.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace redis = eddy::redis;
using namespace std::chrono_literals;

// [snippet: commands]
eddy::task<> ask(redis::client& server) {
    co_await server.command("SET", "greeting", "hello", "EX", 60);
    const redis::reply greeting = co_await server.command("GET", "greeting");
    std::printf("%s\n", greeting.as<std::string>().c_str());
    const redis::reply nothing = co_await server.command("GET", "nothing");
    if (!nothing.as<std::optional<std::string>>())
        std::printf("there is nothing\n");

    const std::map<std::string, int> stock{{"apples", 3}, {"pears", 5}};
    co_await server.command("HSET", "stock", stock);
    const redis::reply stored = co_await server.command("HGETALL", "stock");
    for (const auto& [name, count] : stored.as<std::map<std::string, int>>())
        std::printf("%s: %d\n", name.c_str(), count);

    try {
        co_await server.command("LPUSH", "greeting", "x");
    } catch (const redis::error& refused) {
        std::printf("refused, %s\n", std::string(refused.code()).c_str());
    }
    const auto late = co_await eddy::as_result(eddy::with_timeout(server.command("PING"), 1s));
    std::printf("%s\n", late ? "in time" : late.error().message().c_str());
}
// [/snippet]

// [snippet: pipelines]
eddy::task<> ask_several(redis::client& server) {
    redis::pipeline batch;
    batch.add("SET", "count", 1).add("INCR", "count");
    std::vector<redis::reply> answers = co_await server.run(batch);
    std::printf("%d\n", answers[1].as<int>());

    answers = co_await server.transact(batch);  // between MULTI and EXEC
    std::printf("%d\n", answers[1].as<int>());
}
// [/snippet]

// [snippet: watch]
/// Adds to a number, and starts again if another client has changed it meanwhile.
eddy::task<> add(redis::client& server, int amount) {
    for (;;) {
        redis::dedicated_connection own = co_await server.dedicated_connection();
        co_await own->command("WATCH", "balance");
        const redis::reply before = co_await own->command("GET", "balance");
        redis::pipeline change;
        change.add("SET", "balance", before.as<std::optional<int>>().value_or(0) + amount);
        const auto outcome = co_await eddy::as_result(own->transact(change));
        std::move(own).give_back();
        if (outcome)
            co_return;
        if (outcome.error() != redis::client_error::aborted)
            throw std::system_error(outcome.error());
    }
}
// [/snippet]

// [snippet: scripts]
eddy::task<> run_script(redis::client& server) {
    const redis::script add("return redis.call('INCRBY', KEYS[1], ARGV[1])");
    const std::vector<std::string> keys{"sum"};
    const redis::reply sum = co_await add.run(server, keys, 5);
    std::printf("%lld\n", static_cast<long long>(sum.as<std::int64_t>()));
}

eddy::task<> list_keys(redis::client& server) {
    auto keys = redis::scan(server, redis::scan_options().match("s*"));
    for (;;) {
        const auto key = co_await keys.next();
        if (!key)
            break;
        std::printf("%s\n", key->c_str());
    }
}
// [/snippet]

// [snippet: subscriber]
eddy::task<> listen(redis::client& server) {
    redis::subscriber news(server.settings());
    co_await news.subscribe("weather");
    co_await news.subscribe_pattern("sport.*");
    co_await server.command("PUBLISH", "weather", "rain");
    co_await server.command("PUBLISH", "sport.chess", "e4");
    auto messages = news.messages();
    for (int count = 0; count != 2; ++count) {
        const auto next = co_await messages.next();
        std::printf("%s: %s\n", next->channel.c_str(), next->payload.c_str());
    }
}
// [/snippet]

eddy::task<> program(redis::options where) {
    redis::client server(std::move(where));
    co_await ask(server);
    co_await ask_several(server);
    co_await add(server, 10);
    co_await run_script(server);
    co_await list_keys(server);
    co_await listen(server);
}

int main(int count, char** arguments) {
    try {
        eddy::run(program(redis::options::from_url(count > 1 ? arguments[1] : "redis://127.0.0.1:6379")));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "redis: %s\n", error.what());
        return 1;
    }
}
