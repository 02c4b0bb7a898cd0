#include <eddy/combine/when_all.hpp>
#include <eddy/http/routing/serve.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace eddy::http {

namespace {

task<> serve_here(std::shared_ptr<eddy::shared_listeners> opened, std::function<void(router&)> add_routes,
                  server_options options) {
    router routes;
    add_routes(routes);
    server serving(opened->take(worker::current().index()), routes, std::move(options));
    co_await serving.run();
}

}  // namespace

task<> serve(endpoint at, std::function<void(router&)> add_routes, server_options options,
             serve_options how) {
    runtime& here = runtime::current();
    auto opened = std::make_shared<eddy::shared_listeners>(here.workers());
    opened->open(at, how.listening());
    if (how.on_listening())
        how.on_listening()(opened->where());
    const auto begin = [opened, add_routes, options](std::size_t) {
        return serve_here(opened, add_routes, options);
    };
    std::vector<task<>> ends;
    for (remote_handle<>& each : here.run_on_each(begin, "http::serve"))
        ends.push_back(eddy::detail::end_of(std::move(each)));
    co_await when_all(std::move(ends));
}

}  // namespace eddy::http
