#include "etcd/observation.hpp"

#include "etcd/watching.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace eddy::etcd::detail {

async_generator<key_value> observe_leaders(std::shared_ptr<client_state> db, std::string name) {
    std::map<std::string, key_value> contenders;
    key_value shown;
    auto changes =
        watch_keys(std::move(db), key_range::prefix(std::move(name) + '/'), watch_options().with_state());
    for (;;) {
        auto seen = co_await changes.next();
        if (seen->is_state)
            contenders.clear();
        for (event& each : seen->events) {
            if (each.type == event::kind::remove)
                contenders.erase(each.kv.key);
            else
                contenders.insert_or_assign(each.kv.key, each.kv);
        }
        const auto oldest = std::ranges::min_element(
            contenders, {}, [](const auto& each) { return each.second.create_revision; });
        if (oldest == contenders.end() || oldest->second == shown)
            continue;
        shown = oldest->second;
        co_yield shown;
    }
}

}  // namespace eddy::etcd::detail
