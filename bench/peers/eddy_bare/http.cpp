// HTTP server on eddy's sockets that parses nothing.
//   eddy-bench-http-eddy_bare --port P [--root DIR] [--workers N] [--backend epoll]
#include "peers/common/unparsed_http.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/eddy.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

eddy::task<> answer(eddy::tcp_stream client, const bench::unparsed_http& http) {
    std::string unparsed;
    try {
        while (unparsed.size() < 65536) {
            const auto received = co_await client.read_leased();
            if (received.empty())
                co_return;
            std::string_view bytes(reinterpret_cast<const char*>(received.bytes().data()), received.size());
            if (!unparsed.empty())
                bytes = unparsed += bytes;
            while (const std::size_t length = http.request_length(bytes)) {
                const std::string_view reply = http.reply_to(bytes.substr(0, length));
                co_await client.write_all(std::as_bytes(std::span(reply)));
                bytes.remove_prefix(length);
            }
            if (!bytes.empty() || !unparsed.empty())
                unparsed = std::string(bytes);
        }
    } catch (const std::system_error&) {
        // The client has gone; so does the connection.
    }
}

// On each worker, with listeners that share the port.
eddy::task<> serve(std::uint16_t port, const bench::unparsed_http& http) {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port),
                                             eddy::listen_options().reuse_port(true));
    eddy::task_set sessions;
    for (;;) {
        auto client = co_await listener.accept();
        sessions.spawn(answer(std::move(client), http));
    }
}

eddy::task<> serve_on_each(std::uint16_t port, const bench::unparsed_http& http) {
    auto running = eddy::runtime::current().run_on_each([&, port](std::size_t) { return serve(port, http); });
    for (auto& worker : running)
        co_await worker;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint16_t port = 0;
    std::size_t workers = 1;
    std::string root, backend = "auto";
    CLI::App app("Sends prepared answers", "eddy-bench-http-eddy_bare");
    app.add_option("--port", port)->required();
    app.add_option("--root", root, "the directory of the file");
    app.add_option("--workers", workers);
    app.add_option("--backend", backend);
    CLI11_PARSE(app, argc, argv);
    const bench::unparsed_http http(root);
    eddy::runtime runtime(
        eddy::runtime_options().workers(workers).backend(eddy::parse_backend_kind(backend).value()));
    runtime.run(serve_on_each(port, http));
}
