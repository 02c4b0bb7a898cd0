// A small JSON API: notes that are added, listed and removed, files that are uploaded, a stream of events,
// and metrics.
//
//     build/release/examples/http_api 8080       # then, elsewhere:
//     curl localhost:8080/notes -H 'Content-Type: application/json' -d '{"text": "milk", "stars": 2}'
//     curl 'localhost:8080/notes?stars=1'
//     curl -X DELETE localhost:8080/notes/1
//     curl localhost:8080/files -F 'report=@README.md'
//     curl -N localhost:8080/events
//     curl localhost:8080/metrics
//
// Ctrl-C drains it: /health is not ready, streams of events end, and it ends with its last request.

#include <eddy/eddy.hpp>
#include <eddy/http/routing/access_log.hpp>
#include <eddy/http/routing/health.hpp>
#include <eddy/http/routing/json.hpp>
#include <eddy/http/routing/request_id.hpp>
#include <eddy/http/routing/request_timeout.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/server_metrics.hpp>
#include <eddy/http/server/event_stream.hpp>
#include <eddy/http/server/server.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace http = eddy::http;
using namespace std::chrono_literals;

// [snippet: note]
struct note {
    std::string text;
    unsigned stars = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(note, text, stars)
// [/snippet]

class notes {
public:
    // [snippet: handlers]
    void add_routes(http::router& routes) {
        routes.post("/notes", [this](http::json<note> sent) {
            const unsigned id = ++last_id_;
            all_[id] = *sent;
            count_.set(all_.size());
            return http::json_response(*sent)
                .status(http::status::created)
                .header("Location", "/notes/" + std::to_string(id));
        });
        routes.get("/notes", [this](http::query<"stars", std::optional<unsigned>> stars) {
            nlohmann::json list = nlohmann::json::object();
            for (const auto& [id, each] : all_)
                if (each.stars >= stars->value_or(0))
                    list[std::to_string(id)] = each;
            return http::json_response(list);
        });
        routes.del("/notes/{id}", [this](http::path<"id", unsigned> id) {
            if (all_.erase(id) == 0)
                throw http::request_error(http::status::not_found, "no such note");
            count_.set(all_.size());
            return http::response(http::status::no_content);
        });
        routes.get("/events", [this] { return http::event_response(counts()); });
    }
    // [/snippet]

private:
    // [snippet: events]
    // The number of notes, and again whenever it has changed, until the client goes.
    eddy::async_generator<http::server_event> counts() {
        auto receiver = count_.subscribe();
        bool may_change = true;
        while (may_change) {
            co_yield http::server_event(std::to_string(receiver.get())).type("notes");
            const bool has_changed = co_await receiver.changed();
            may_change = has_changed;
        }
    }
    // [/snippet]

    std::map<unsigned, note> all_;
    unsigned last_id_ = 0;
    eddy::watch<std::size_t> count_{0};
};

// [snippet: upload]
// Each file goes to disk as it arrives, and is removed with `saved`, unless it is kept.
eddy::task<http::response> receive_files(http::multipart_reader form) {
    nlohmann::json sizes = nlohmann::json::object();
    while (true) {
        auto part = co_await form.next();
        if (!part)
            co_return http::json_response(sizes);
        const http::uploaded_file saved = co_await part->save(eddy::fs::temporary_place());
        sizes[part->name()] = saved.size_bytes();
    }
}
// [/snippet]

void print_line(std::string_view line) {
    std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
    std::fflush(stdout);
}

eddy::task<> program(std::uint16_t port) {
    // [snippet: routes]
    auto registry = std::make_shared<http::metrics_registry>();
    auto state = std::make_shared<http::health>();
    auto counted = std::make_shared<http::server_metrics>(registry);
    notes all;
    http::router routes;
    routes.use(http::access_log(print_line, http::access_log_format::common));
    routes.use(counted);
    routes.use(http::request_ids());
    all.add_routes(routes);
    routes.post("/files", receive_files).use(http::request_timeout(60s));
    routes.add("GET", "/metrics", std::make_unique<http::metrics_page>(registry));
    routes.add("GET", "/health", std::make_unique<http::health_page>(state));
    // [/snippet]

    // [snippet: serve]
    eddy::signal_set ending({SIGINT, SIGTERM});
    http::server server(eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port)), routes);
    counted->watch(server);
    std::printf("listening on port %u\n", unsigned{server.listener().local_endpoint().port()});
    std::fflush(stdout);
    eddy::handle<> serving = eddy::spawn(server.run(), "server");
    co_await ending.wait();
    state->set_ready(false);
    server.drain();
    const std::size_t left = co_await server.join(10s);
    std::printf("%zu connections were cut off\n", left);
    // [/snippet]
}

int main(int count, char** arguments) {
    const int port = count > 1 ? std::atoi(arguments[1]) : 0;
    eddy::run(program(static_cast<std::uint16_t>(port)));
}
