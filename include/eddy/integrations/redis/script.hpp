#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/executor.hpp>
#include <eddy/integrations/redis/request.hpp>

#include <string>
#include <vector>

namespace eddy::redis {

/// A Lua script that the server runs (https://redis.io/docs/interact/programmability/eval-intro/). Only its
/// SHA-1 is sent, EVALSHA; to a server that does not know it (NOSCRIPT) the whole is sent, once.
///
///     const redis::script add("return redis.call('INCRBY', KEYS[1], ARGV[1])");
///     const redis::reply sum = co_await add.run(server, keys, 5);
///
/// A value; may be used by all threads at once, each with its own executor. In a cluster all keys must be in
/// one slot.
class script {
public:
    /// A script in Lua.
    explicit script(std::string source);

    /// Requires: the script and the executor live until then. Errors and cancellation: those of a command.
    template <class... Arguments>
    [[nodiscard]] task<reply> run(executor& on, const std::vector<std::string>& keys,
                                  const Arguments&... arguments) const {
        return run_digest(on, request("EVALSHA", digest_, keys.size(), keys, arguments...));
    }

    /// Its text.
    [[nodiscard]] const std::string& source() const noexcept { return source_; }
    /// SHA-1 in hexadecimal digits.
    [[nodiscard]] const std::string& digest() const noexcept { return digest_; }

private:
    task<reply> run_digest(executor& on, request req) const;

    std::string source_;
    std::string digest_;
};

}  // namespace eddy::redis
