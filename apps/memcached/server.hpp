#pragma once

#include "memcached/conversation.hpp"
#include "memcached/counters.hpp"
#include "memcached/options.hpp"
#include "memcached/session.hpp"
#include "memcached/statistics.hpp"
#include "memcached/store.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::apps::memcached {

/// The store, what listens for clients, and on each worker those that it serves.
///
/// Ownership: outlives what open() has begun, so close() comes first. Thread safety: belongs to worker 0.
class server {
public:
    /// Throws std::bad_alloc and std::invalid_argument.
    server(runtime& on, const options& requested);
    server(const server&) = delete;
    server& operator=(const server&) = delete;

    /// Begins to listen and to serve. Throws std::system_error. Requires: called once.
    [[nodiscard]] task<> open();
    /// Drops all clients and listens no more.
    [[nodiscard]] task<> close();
    /// Where clients find it, in words. Requires: open().
    [[nodiscard]] std::string where() const;

private:
    /// What a worker has for its clients. The set is made and destroyed on the worker.
    struct place {
        std::unique_ptr<conversation_setting> setting;
        spare_answers answers;
        std::optional<task_set> tasks;
    };

    using step = void (server::*)(std::size_t worker);
    [[nodiscard]] task<> on_each(step taken);
    void open_on(std::size_t worker);
    void close_on(std::size_t worker);

    [[nodiscard]] task<> accept_tcp(tcp_listener listener, std::size_t worker);
    [[nodiscard]] task<> accept_local(local_listener listener);
    [[nodiscard]] task<> adopt(io::plain_descriptor client, std::size_t worker);
    template <class Stream>
    [[nodiscard]] task<> serve_one(Stream client, std::size_t worker);
    void tell(std::string_view what, std::size_t worker) const;

    runtime& runtime_;
    options options_;
    memcached::store store_;
    std::vector<counters> counted_;
    std::optional<statistics> statistics_;
    std::atomic<std::uint32_t> verbosity_;
    std::atomic<std::size_t> open_connections_{0};
    std::vector<place> places_;
    std::optional<endpoint> where_;
    std::optional<shared_listeners> listeners_;
    std::optional<local_listener> local_;
};

}  // namespace eddy::apps::memcached
