#include "broadcast/broadcast_server.hpp"

#include "broadcast/node_link.hpp"
#include "broadcast/tcp_session.hpp"
#include "broadcast/websocket_session.hpp"
#include "common/for_each_client.hpp"
#include "common/inherited.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/server.hpp>

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace eddy::apps {

namespace {

task<> accept_all(tcp_listener& from, hub& all, std::size_t worker, const broadcast_options& how,
                  task_set& visits) {
    const auto serve = [&, worker](tcp_stream client) {
        visits.spawn(visit_by_tcp(std::move(client), all, worker, how), "tcp visit");
    };
    co_await for_each_client(from, serve);
}

}  // namespace

broadcast_server::broadcast_server(runtime& on, const broadcast_options& options)
    : runtime_(on), options_(options), hub_(on.workers(), !options.redis_url.empty()), tcp_(on.workers()) {
    if (options_.websocket_port || has_inherited_socket(websocket_socket))
        websocket_.emplace(on.workers());
}

void broadcast_server::open() {
    options_.serving.open(tcp_);
    if (websocket_ && !adopt_inherited(*websocket_, websocket_socket))
        websocket_->open(options_.websocket_where());
}

std::string broadcast_server::where() const {
    std::string text = tcp_.where().to_string();
    if (websocket_)
        text += ", websocket " + websocket_->where().to_string();
    return text;
}

task<> broadcast_server::serve_tcp(std::size_t worker) {
    task_set visits;
    {
        tcp_listener listener = tcp_.take(worker);
        co_await race(accept_all(listener, hub_, worker, options_, visits), draining_.wait());
    }
    visits.close();
    static_cast<void>(co_await as_result(with_timeout(visits.join(), options_.drain_limit())));
}

task<> broadcast_server::serve_websocket(std::size_t worker) {
    http::router routes;
    routes.get("/",
               [this, worker](http::exchange& ex) { return visit_by_websocket(ex, hub_, worker, options_); });
    http::server_options how;
    how.connections_max(options_.connections_max + 16);  // so that those beyond get a message
    http::server server(websocket_->take(worker), routes, how);
    co_await race(server.run(), draining_.wait());
    server.drain();
    co_await server.join(options_.drain_limit());
}

task<> broadcast_server::serve_on(std::size_t worker) {
    const handle<> relaying = spawn(hub_.relay(worker), "relay");
    auto tcp = spawn(serve_tcp(worker), "tcp");
    handle<> websocket;
    if (websocket_)
        websocket = spawn(serve_websocket(worker), "websocket");
    co_await draining_.wait();
    hub_.room_of(worker).finish();
    co_await tcp;
    if (websocket_)
        co_await websocket;
}

task<> broadcast_server::run() {
    std::optional<node_link> link;
    handle<> joining;
    if (!options_.redis_url.empty()) {
        link.emplace(options_, hub_);
        joining = spawn(link->run(), "peers");
    }
    auto running = runtime_.run_on_each([this](std::size_t worker) { return serve_on(worker); });
    std::exception_ptr refusal;
    if (link) {
        try {
            co_await race(joining, draining_.wait());  // it ends only if there is no way to join
        } catch (...) {
            refusal = std::current_exception();
        }
        drain();
    }
    for (auto& each : running)
        co_await each;
    if (refusal != nullptr)
        std::rethrow_exception(refusal);
    if (link)
        static_cast<void>(co_await as_result(with_timeout(link->flush(), options_.drain_limit())));
}

}  // namespace eddy::apps
