#pragma once

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy {

/// How serve() serves. Setters chain.
class serve_options {
public:
    serve_options() noexcept {}

    /// How each worker listens; reuse_port() is on in any case.
    serve_options& listening(const listen_options& options) noexcept {
        listening_ = options;
        return *this;
    }
    /// The most connections that are served at once on one worker; further ones wait in the backlog. No limit
    /// by default. Requires: 1 at least.
    serve_options& connections_max(std::size_t connections) noexcept {
        connections_max_ = connections;
        return *this;
    }
    /// Called with the endpoint, its port included, once clients can connect, on the worker of the caller.
    serve_options& on_listening(std::function<void(const endpoint&)> function) {
        on_listening_ = std::move(function);
        return *this;
    }
    /// Called, on the worker of the connection, with an exception that leaves a session. Without one, a
    /// std::system_error is dropped, since it is most often the peer's end, and any other ends the program
    /// with a message.
    serve_options& on_error(std::function<void(std::exception_ptr)> handler) {
        on_error_ = std::move(handler);
        return *this;
    }

    [[nodiscard]] const listen_options& listening() const noexcept { return listening_; }
    [[nodiscard]] std::size_t connections_max() const noexcept { return connections_max_; }
    [[nodiscard]] const std::function<void(const endpoint&)>& on_listening() const noexcept {
        return on_listening_;
    }
    [[nodiscard]] const std::function<void(std::exception_ptr)>& on_error() const noexcept {
        return on_error_;
    }

private:
    listen_options listening_;
    std::size_t connections_max_ = static_cast<std::size_t>(-1);
    std::function<void(const endpoint&)> on_listening_;
    std::function<void(std::exception_ptr)> on_error_;
};

namespace detail {

/// A session that ends quietly with errors of the system.
template <class Session>
task<> run_session(const Session& session, tcp_stream client, bool reports_errors) {
    try {
        co_await session(std::move(client));
    } catch (const std::system_error&) {
        if (reports_errors)
            throw;
    }
}

inline task<> end_of(remote_handle<> running) {
    co_await running;
}

/// Accepts and serves on one worker.
template <class Session>
task<> serve_here(std::shared_ptr<shared_listeners> opened, Session session, serve_options options) {
    constexpr auto rest = std::chrono::milliseconds(50);
    tcp_listener listener = opened->take(worker::current().index());
    const bool reports_errors = options.on_error() != nullptr;
    task_set sessions(reports_errors ? task_set::error_handler(options.on_error())
                                     : task_set::error_handler());
    for (;;) {
        co_await sessions.fewer_than(options.connections_max());
        auto client = co_await as_result(listener.accept());
        if (client) {
            try {
                sessions.spawn(run_session(session, std::move(*client), reports_errors), "session");
                continue;
            } catch (const std::bad_alloc&) {
                // The client went with the task; those that leave make room.
            }
        }
        co_await sleep_for(rest);
    }
}

}  // namespace detail

/// Listens on every worker of the runtime, and runs `session(tcp_stream)`, which returns a task, for each
/// connection on the worker that accepted it. The system spreads connections over the workers.
///
///     eddy::run(eddy::serve(endpoint::any_ipv4(7000), echo), eddy::all_cores);
///
/// - Ownership: `session` is copied to every worker, and outlives the sessions there; it must not refer to
///   what only one thread may use. A session owns its stream.
/// - Cancellation: ends only when it is dropped: listeners are closed and sessions dropped, on other workers
///   soon after.
/// - Errors: std::system_error if it cannot listen, address_in_use also where a listener of another program
///   would share the port. While descriptors or memory are short, accepting pauses, and then continues. Those
///   of sessions: see serve_options::on_error().
///
/// Requires: awaited on a worker.
template <class Session>
    requires std::invocable<const Session&, tcp_stream>
[[nodiscard]] task<> serve(endpoint at, Session session, serve_options options = {}) {
    runtime& here = runtime::current();
    auto opened = std::make_shared<shared_listeners>(here.workers());
    opened->open(at, options.listening());
    if (options.on_listening())
        options.on_listening()(opened->where());
    const auto begin = [opened, session, options](std::size_t) {
        return detail::serve_here(opened, session, options);
    };
    std::vector<task<>> ends;
    for (remote_handle<>& each : here.run_on_each(begin, "serve"))
        ends.push_back(detail::end_of(std::move(each)));
    co_await when_all(std::move(ends));
}

}  // namespace eddy
