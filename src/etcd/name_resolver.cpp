#include "etcd/endpoint_entry.hpp"
#include "etcd/watching.hpp"

#include <eddy/etcd/name_resolver.hpp>

#include <map>
#include <utility>

namespace eddy::etcd {
namespace {

async_generator<std::vector<endpoint>> watch_endpoints(std::shared_ptr<detail::client_state> db,
                                                       std::string name) {
    auto changes = detail::watch_keys(std::move(db), key_range::prefix(std::move(name) + '/'),
                                      watch_options().with_state());
    std::map<std::string, endpoint> known;
    for (;;) {
        const auto seen = co_await changes.next();
        if (seen->is_state)
            known.clear();
        for (const event& each : seen->events) {
            known.erase(each.kv.key);
            if (each.type == event::kind::remove)
                continue;
            if (const auto at = detail::endpoint_of(each.kv.value))
                known.emplace(each.kv.key, *at);
        }
        std::vector<endpoint> all;
        all.reserve(known.size());
        for (const auto& [key, at] : known)
            all.push_back(at);
        co_yield std::move(all);
    }
}

}  // namespace

async_generator<std::vector<endpoint>> name_resolver::watch(std::string name) {
    return watch_endpoints(db_, std::move(name));
}

}  // namespace eddy::etcd
