#include <eddy/integrations/redis/scan.hpp>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace eddy::redis {

namespace {

/// One step: the next cursor, and what was found.
request step(std::string_view command, const std::string& key, const std::string& cursor,
             const scan_options& wanted) {
    std::vector<std::string_view> words{command};
    if (command != "SCAN")
        words.push_back(key);
    words.push_back(cursor);
    const std::string count = std::to_string(std::clamp<std::size_t>(wanted.count(), 1, 1'000'000'000));
    words.insert(words.end(), {"COUNT", count});
    if (!wanted.match().empty())
        words.insert(words.end(), {"MATCH", wanted.match()});
    if (!wanted.type().empty() && command == "SCAN")
        words.insert(words.end(), {"TYPE", wanted.type()});
    return request(words);
}

template <class Item>
async_generator<Item> steps(executor& on, std::string_view command, std::string key, scan_options wanted) {
    std::string cursor = "0";
    do {
        request next = step(command, key, cursor, wanted);
        reply answer = co_await on.execute(std::move(next));
        auto [after, found] = std::move(answer).template as<std::tuple<std::string, reply>>();
        cursor = std::move(after);
        if constexpr (std::is_same_v<Item, std::string>) {
            for (reply& each : found.elements())
                co_yield std::move(each).template as<std::string>();
        } else {
            std::vector<reply>& all = found.elements();
            for (std::size_t at = 0; at + 1 < all.size(); at += 2) {
                Item item(std::move(all[at]).template as<std::string>(),
                          std::move(all[at + 1]).template as<typename Item::second_type>());
                co_yield std::move(item);
            }
        }
    } while (cursor != "0");
}

}  // namespace

async_generator<std::string> scan(executor& on, scan_options wanted) {
    return steps<std::string>(on, "SCAN", std::string(), std::move(wanted));
}
async_generator<std::string> scan_set(executor& on, std::string key, scan_options wanted) {
    return steps<std::string>(on, "SSCAN", std::move(key), std::move(wanted));
}
async_generator<std::pair<std::string, std::string>> scan_hash(executor& on, std::string key,
                                                               scan_options wanted) {
    return steps<std::pair<std::string, std::string>>(on, "HSCAN", std::move(key), std::move(wanted));
}
async_generator<std::pair<std::string, double>> scan_sorted_set(executor& on, std::string key,
                                                                scan_options wanted) {
    return steps<std::pair<std::string, double>>(on, "ZSCAN", std::move(key), std::move(wanted));
}

}  // namespace eddy::redis
