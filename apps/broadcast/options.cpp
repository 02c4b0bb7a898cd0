#include "broadcast/options.hpp"

#include <eddy/integrations/redis/options.hpp>

#include <map>

namespace eddy::apps {

void broadcast_options::add_to(CLI::App& options) {
    constexpr std::size_t count_max = 100'000'000;
    const std::map<std::string, slow_policy> policies{{"drop-oldest", slow_policy::drop_oldest},
                                                      {"disconnect", slow_policy::disconnect}};
    serving.add_to(options);
    options.add_option("--websocket-port", websocket_port,
                       "Port to listen on for WebSocket; 0 chooses one; none without this");
    options.add_option("--queue", lines_max, "Lines that may wait for a receiver")
        ->check(CLI::Range(std::size_t{1}, count_max))
        ->capture_default_str();
    options
        .add_option("--slow", slow, "What happens to a receiver with a full queue: drop-oldest, disconnect")
        ->transform(CLI::CheckedTransformer(policies))
        ->default_str("drop-oldest");
    options.add_option("--line-bytes", line_bytes_max, "Bytes of a line at the most")
        ->check(CLI::Range(std::size_t{1}, count_max))
        ->capture_default_str();
    options
        .add_option("--message-bytes", message_bytes_max,
                    "Bytes of a WebSocket message, which may be several lines")
        ->check(CLI::Range(std::size_t{1}, count_max))
        ->capture_default_str();
    options.add_option("--connections", connections_max, "Connections at the same time, of both kinds")
        ->check(CLI::Range(std::size_t{1}, count_max))
        ->capture_default_str();
    options.add_flag("--echo", echoes, "A client receives its own lines too");
    options.add_option("--drain", drain_s, "Seconds that receivers may take for what waits when it ends")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    options.add_option("--redis", redis_url, "Join other nodes through a Redis server: redis://HOST:PORT");
    options.add_option("--redis-channel", redis_channel, "The channel that the nodes have in common")
        ->capture_default_str();
    options
        .add_option("--redis-queue", redis_lines_max,
                    "Lines of this node that are kept for nodes that are away, and while Redis is")
        ->check(CLI::Range(std::size_t{1}, count_max))
        ->capture_default_str();
}

void broadcast_options::check() const {
    if (!redis_url.empty())
        static_cast<void>(redis::options::from_url(redis_url));
}

endpoint broadcast_options::websocket_where() const {
    serving_options elsewhere = serving;
    elsewhere.port = *websocket_port;
    return elsewhere.where();
}

std::chrono::milliseconds broadcast_options::drain_limit() const {
    return std::chrono::milliseconds(static_cast<long>(drain_s * 1000));
}

}  // namespace eddy::apps
