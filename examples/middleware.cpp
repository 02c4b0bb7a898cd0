// Middleware of one's own: what answers, what adds, what measures, what hands on, and what changes a body.
//
//     build/release/examples/middleware 8080     # then, elsewhere:
//     curl -i localhost:8080/                    # X-Version: 2; its duration on the server's standard output
//     curl -i localhost:8080/ -H 'X-Tenant: ada'
//     curl -X POST localhost:8080/maintenance    # from then on 503, but for this route
//
// Ctrl-C ends it.

#include <eddy/eddy.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/serve.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace http = eddy::http;

// [snippet: adds]
// Adds a field to every response, whichever handler writes it.
class version_header final : public http::middleware {
public:
    eddy::ready_or_task<> handle(http::exchange& ex, http::request_handler& next) override {
        ex.add_field("X-Version", "2");
        return next.handle(ex);  // no coroutine: costs a call
    }
};
// [/snippet]

// [snippet: answers]
// Responds itself while `is_on`, and does not call what is behind it.
class maintenance final : public http::middleware {
public:
    explicit maintenance(std::shared_ptr<const bool> is_on) : is_on_(std::move(is_on)) {}

    eddy::ready_or_task<> handle(http::exchange& ex, http::request_handler& next) override {
        if (!*is_on_ || ex.path() == "/maintenance")
            return next.handle(ex);
        return http::response::send(
            ex, http::response::plain(http::status::service_unavailable).header("Retry-After", "60"));
    }

private:
    std::shared_ptr<const bool> is_on_;
};
// [/snippet]

// [snippet: measures]
// Does something when the response has been written.
class durations final : public http::middleware {
public:
    eddy::ready_or_task<> handle(http::exchange& ex, http::request_handler& next) override {
        eddy::ready_or_task<> rest = next.handle(ex);
        if (!rest.is_done())
            return finish(ex, std::move(rest));
        note(ex);
        return {};
    }

private:
    static eddy::task<> finish(http::exchange& ex, eddy::ready_or_task<> rest) {
        co_await std::move(rest);
        note(ex);
    }
    static void note(http::exchange& ex) {
        const std::chrono::duration<double, std::milli> passed = eddy::clock::now() - ex.began_at();
        const auto code = static_cast<unsigned>(ex.response_status());
        std::printf("%u after %.3f ms\n", code, passed.count());
        std::fflush(stdout);
    }
};
// [/snippet]

// [snippet: attribute]
// An attribute has a type of its own, by which others find it.
struct tenant {
    std::string name;
};

class tenants final : public http::middleware {
public:
    eddy::ready_or_task<> handle(http::exchange& ex, http::request_handler& next) override {
        const auto sent = ex.request().find("x-tenant");
        ex.attributes().emplace<tenant>(tenant{std::string(sent.value_or("anonymous"))});
        return next.handle(ex);
    }
};

http::response greet(http::exchange& ex) {
    return http::response::text("hello, " + ex.attributes().find<tenant>()->name + "\n");
}
// [/snippet]

// [snippet: filter]
// Ends every text with a line. Pieces pass through as they come.
class signature final : public http::response_filter {
public:
    bool begin(http::status, http::field_list& fields, std::optional<std::uint64_t>) override {
        return fields.find("content-type").value_or("").starts_with("text/plain");
    }
    void append(std::span<const std::byte> piece, std::string& out) override {
        out.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    void finish(std::string& out) override { out += "-- the server\n"; }
};

class signatures final : public http::middleware {
public:
    eddy::ready_or_task<> handle(http::exchange& ex, http::request_handler& next) override {
        ex.filter_response(std::make_unique<signature>());
        return next.handle(ex);
    }
};
// [/snippet]

// [snippet: use]
void add_routes(http::router& routes) {
    auto is_maintained = std::make_shared<bool>(false);
    routes.use(durations()).use(version_header()).use(maintenance(is_maintained));
    routes.get("/", greet).use(tenants());
    routes.get("/signed", greet).use(tenants()).use(signatures());
    routes.post("/maintenance", [is_maintained] {
        *is_maintained = true;
        return http::response(http::status::no_content);
    });
}
// [/snippet]

void tell(const eddy::endpoint& at) {
    std::printf("listening on port %u\n", unsigned{at.port()});
    std::fflush(stdout);
}

int main(int count, char** arguments) {
    const int port = count > 1 ? std::atoi(arguments[1]) : 0;
    const auto at = eddy::endpoint::loopback_ipv4(static_cast<std::uint16_t>(port));
    eddy::run(http::serve(at, add_routes, {}, eddy::serve_options().on_listening(tell)));
}
