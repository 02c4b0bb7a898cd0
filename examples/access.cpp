// Which clients get in, and how often: logins, tokens, keys, pages of other origins, rates.
//
//     build/release/examples/access 8080         # then, elsewhere:
//     curl -u ada:lovelace localhost:8080/private
//     curl -H 'Authorization: Bearer token-of-ada' localhost:8080/api
//     curl -H 'X-Api-Key: key-of-ada' localhost:8080/keys
//     curl -i -H 'Origin: https://example.org' localhost:8080/public/
//     curl -i localhost:8080/limited localhost:8080/limited localhost:8080/limited     # the third: 429
//
// Ctrl-C ends it.

#include <eddy/eddy.hpp>
#include <eddy/http/routing/authentication.hpp>
#include <eddy/http/routing/concurrency_limit.hpp>
#include <eddy/http/routing/cors.hpp>
#include <eddy/http/routing/rate_limit.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/serve.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace http = eddy::http;
using namespace std::chrono_literals;

http::response greet(http::exchange& ex) {
    const auto* user = ex.attributes().find<http::authenticated_user>();
    return http::response::text("hello, " + (user != nullptr ? user->name() : "stranger") + "\n");
}

// [snippet: basic]
// A real program keeps hashes, made to be slow (argon2, scrypt), and computes them on the offload pool.
bool is_password(const std::string& name, const std::string& password) {
    return name == "ada" && http::constant_time_equal(password, "lovelace");
}

eddy::task<bool> check_password(std::string name, std::string password) {
    co_return co_await eddy::offload(is_password, std::move(name), std::move(password));
}
// [/snippet]

// [snippet: bearer]
// Called with the exchange, so that it can record the token's owner.
bool check_token(http::exchange& ex, const std::string& token) {
    if (!http::constant_time_equal(token, "token-of-ada"))
        return false;
    ex.attributes().emplace<http::authenticated_user>("ada");
    return true;
}
// [/snippet]

// [snippet: own]
// A scheme of one's own: a key in a field of the request.
class api_keys final : public http::middleware {
public:
    eddy::ready_or_task<> handle(http::exchange& ex, http::request_handler& next) override {
        const auto key = ex.request().find("x-api-key");
        if (!key || !http::constant_time_equal(*key, "key-of-ada"))
            return http::response::send(ex, http::response::plain(http::status::forbidden));
        ex.attributes().emplace<http::authenticated_user>("ada");
        return next.handle(ex);
    }
};
// [/snippet]

// [snippet: limits]
// By user where there is one, else by address. Stands behind what authenticates.
std::string user_or_address(http::exchange& ex) {
    const auto* user = ex.attributes().find<http::authenticated_user>();
    return user != nullptr ? "user " + user->name() : http::rate_limit::address_key(ex);
}
// [/snippet]

// [snippet: use]
void add_routes(http::router& routes) {
    routes.get("/private", greet).use(http::basic_authentication("the private part", check_password));
    routes.get("/api", greet).use(http::bearer_authentication("api", check_token));
    routes.get("/keys", greet)
        .use(api_keys())
        .use(http::rate_limit(http::rate_limit_options(100).burst(200).key(user_or_address)));
    routes.get("/limited", greet)
        .use(http::rate_limit(http::rate_limit_options(0.1).burst(2).keys_max(10'000)))
        .use(http::concurrency_limit(50, 2s));
}
// [/snippet]

// [snippet: cors]
void add_public_routes(http::router& routes) {
    routes.use(http::cors(http::cors_options()
                              .origin("https://example.org")
                              .methods("GET, POST")
                              .headers("Content-Type, X-Api-Key")
                              .exposed_headers("X-Request-Id")
                              .credentials(true)
                              .max_age(1h)));
    routes.get("/", greet);
}
// [/snippet]

void tell(const eddy::endpoint& at) {
    std::printf("listening on port %u\n", unsigned{at.port()});
    std::fflush(stdout);
}

int main(int count, char** arguments) {
    const int port = count > 1 ? std::atoi(arguments[1]) : 0;
    const auto at = eddy::endpoint::loopback_ipv4(static_cast<std::uint16_t>(port));
    const auto add_all = [](http::router& routes) {
        add_routes(routes);
        auto open = std::make_unique<http::router>();
        add_public_routes(*open);
        routes.mount("/public", std::move(open));
    };
    eddy::run(http::serve(at, add_all, {}, eddy::serve_options().on_listening(tell)));
}
