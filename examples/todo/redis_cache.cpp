#include "redis_cache.hpp"

#include "log.hpp"
#include "node_name.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/integrations/redis/error.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace todo {

namespace {

namespace http = eddy::http;
namespace redis = eddy::redis;
using namespace std::chrono_literals;

constexpr const char* generation_key = "todo:generation";
constexpr auto pause_after_failure = 1s;
constexpr auto pause_between_generations = 100ms;

http::metric_counter counter(http::metrics_registry& registry, const char* outcome) {
    return registry.make_counter("todo_cache_lookups_total", "Texts that were looked up in the cache",
                                 {{"outcome", outcome}});
}

}  // namespace

redis_cache::redis_cache(redis::options server, http::metrics_registry& registry)
    : node_(make_node_name()),
      up_(registry.make_gauge("todo_cache_up", "Whether the cache is in use")),
      hits_(counter(registry, "hit")),
      misses_(counter(registry, "miss")),
      bypasses_(counter(registry, "bypass")),
      server_(std::move(server)) {
    up_.set(1);
}

eddy::task<redis_cache::answer> redis_cache::look_up(std::string name) {
    answer found;
    if (!may_ask()) {
        ++bypasses_;
        co_return found;
    }
    const std::string key = "todo:text:" + name;
    auto reply = co_await ask(redis::request("MGET", generation_key, key));
    if (!reply || reported_ != changes_) {  // a change may have been made meanwhile
        ++bypasses_;
        co_return found;
    }
    auto both = std::move(*reply).as<std::vector<std::optional<std::string>>>();
    if (both.size() == 2 && both[0]) {
        found.generation = std::move(*both[0]);
        const std::string prefix = found.generation + '\n';
        if (both[1] && both[1]->starts_with(prefix))
            found.text = both[1]->substr(prefix.size());
    } else {
        // The first one ever, or Redis has lost it: the first node to come begins one.
        co_await ask(redis::request("SET", generation_key, fresh_generation(), "NX"));
    }
    ++(found.text ? hits_ : misses_);
    co_return found;
}

void redis_cache::keep(std::string name, std::string_view generation, std::string_view text) {
    if (generation.empty() || !may_ask() || in_background_.size() >= texts_on_their_way_max)
        return;
    std::string kept(generation);
    kept += '\n';
    kept += text;
    in_background_.spawn(
        send_text(redis::request("SET", "todo:text:" + name, kept, "EX", text_lifetime.count())), "cache");
}

eddy::task<> redis_cache::send_text(redis::request req) {
    co_await ask(std::move(req));
}

eddy::task<> redis_cache::forget_all() {
    const std::uint64_t mine = ++changes_;
    if (!is_quiet())
        co_await begin_generation();
    if (reported_ < mine && !is_paying_) {
        is_paying_ = true;
        in_background_.spawn(pay_debt(), "cache");
    }
}

eddy::task<> redis_cache::begin_generation() {
    const std::uint64_t made = changes_;
    const auto reply = co_await ask(redis::request("SET", generation_key, fresh_generation()));
    if (reply)
        reported_ = std::max(reported_, made);
}

eddy::task<> redis_cache::pay_debt() {
    while (reported_ != changes_) {
        co_await eddy::sleep_for(pause_between_generations);
        co_await begin_generation();
    }
    is_paying_ = false;
}

eddy::task<std::optional<redis::reply>> redis_cache::ask(redis::request req) {
    std::string why;
    try {
        auto reply = co_await eddy::with_timeout(server_.execute(std::move(req)), answer_limit);
        note(true, {});
        co_return reply;
    } catch (const redis::error& error) {
        why = error.what();
    } catch (const std::system_error& error) {
        why = error.what();
    }
    quiet_until_ = std::chrono::steady_clock::now() + pause_after_failure;
    note(false, why);
    co_return std::nullopt;
}

bool redis_cache::is_quiet() const noexcept {
    return std::chrono::steady_clock::now() < quiet_until_;
}

std::string redis_cache::fresh_generation() {
    return node_ + '-' + std::to_string(++generations_);
}

void redis_cache::note(bool is_up, std::string_view why) {
    if (is_up == is_up_)
        return;
    is_up_ = is_up;
    up_.set(is_up ? 1 : 0);
    if (is_up)
        log_line("Redis answers again: the cache is in use");
    else
        log_line("Redis does not answer (" + std::string(why) + "): going on without the cache");
}

}  // namespace todo
