#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/integrations/redis/executor.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace eddy::redis {

/// What is looked for. A value; setters chain.
class scan_options {
public:
    /// Names that match a pattern, `user:*`; all by default.
    scan_options& match(std::string pattern) { return match_ = std::move(pattern), *this; }
    /// Keys of one type, `hash`; only for scan().
    scan_options& type(std::string name) { return type_ = std::move(name), *this; }
    /// About how many the server looks at in one command. 100 by default.
    scan_options& count(std::size_t number) noexcept { return count_ = number, *this; }

    [[nodiscard]] const std::string& match() const noexcept { return match_; }
    [[nodiscard]] const std::string& type() const noexcept { return type_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    std::string match_;
    std::string type_;
    std::size_t count_ = 100;
};

/// Iterates over the keys of the database, or the members of a key, a few with each command, without blocking
/// the server (https://redis.io/commands/scan/). An element that exists from beginning to end is yielded at
/// least once, perhaps twice; one that comes or goes meanwhile may be yielded or not.
///
///     auto keys = redis::scan(server, wanted);
///     while (auto key = co_await keys.next())
///         use(*key);
///
/// Requires: the executor outlives the generator. A cluster's keys are scanned a node at a time, see
/// cluster_client::masters().
async_generator<std::string> scan(executor& on, scan_options wanted = {});
/// The members of a set.
async_generator<std::string> scan_set(executor& on, std::string key, scan_options wanted = {});
/// The fields of a hash and their values.
async_generator<std::pair<std::string, std::string>> scan_hash(executor& on, std::string key,
                                                               scan_options wanted = {});
/// The members of a sorted set and their scores.
async_generator<std::pair<std::string, double>> scan_sorted_set(executor& on, std::string key,
                                                                scan_options wanted = {});

}  // namespace eddy::redis
