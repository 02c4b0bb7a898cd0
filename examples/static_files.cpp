// Files over HTTP: a site, and downloads that are listed.
//
//     build/release/examples/static_files site 8080      # then, elsewhere:
//     curl -i localhost:8080/                            # index.html
//     curl -i localhost:8080/style.css --compressed
//     curl localhost:8080/downloads/                     # the names in it
//     curl -i localhost:8080/style.css -H 'Range: bytes=0-9'
//
// Ctrl-C ends it.

#include <eddy/eddy.hpp>
#include <eddy/http/files/static_files.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/routing/serve.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace http = eddy::http;
using namespace std::chrono_literals;

// [snippet: short]
void add_downloads(http::router& routes, const std::string& root) {
    auto options = http::static_files_options().index_names({}).listing(true);
    routes.mount("/downloads", http::static_files(eddy::directory::open(root), std::move(options)));
}
// [/snippet]

// [snippet: options]
void add_site(http::router& routes, const std::string& root) {
    auto kept = http::file_cache_options()
                    .validity(10s)
                    .entries_max(4096)
                    .small_file_bytes_max(256 * 1024)
                    .memory_bytes_max(256 * 1024 * 1024);
    auto options = http::static_files_options()
                       .cache(kept)
                       .compress(true)
                       .cache_control("/assets/*", "public, max-age=31536000, immutable")
                       .cache_control("*.html", "no-cache")
                       .media_type("map", "application/json")
                       .add_field("X-Content-Type-Options", "nosniff");
    routes.mount("/", http::static_files(eddy::directory::open(root), std::move(options)));
}
// [/snippet]

void tell(const eddy::endpoint& at) {
    std::printf("listening on port %u\n", unsigned{at.port()});
    std::fflush(stdout);
}

int main(int count, char** arguments) {
    const std::string root = count > 1 ? arguments[1] : ".";
    const int port = count > 2 ? std::atoi(arguments[2]) : 0;
    const auto at = eddy::endpoint::loopback_ipv4(static_cast<std::uint16_t>(port));
    // Each worker has a cache and directories of its own.
    const auto add_routes = [root](http::router& routes) {
        add_downloads(routes, root);
        add_site(routes, root);
    };
    eddy::run(http::serve(at, add_routes, {}, eddy::serve_options().on_listening(tell)));
}
