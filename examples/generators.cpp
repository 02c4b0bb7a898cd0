// Values one by one: computed, awaited, and ticking.
//
//     build/release/examples/generators
//
// It prints:
//
//     visited 1
//     visited 2
//     node 2 is left
//     node 1 is left
//     line: one
//     line: two
//     the source of lines is gone
//     tick 1
//     tick 2
//     flushed 1
//     flushed 2

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

using namespace std::chrono_literals;

class farewell {
public:
    explicit farewell(std::string text) : text_(std::move(text)) {}
    farewell(const farewell&) = delete;
    farewell& operator=(const farewell&) = delete;
    ~farewell() { std::printf("%s\n", text_.c_str()); }

private:
    std::string text_;
};

// [snippet: generator]
eddy::generator<int> path_from(int node) {
    const farewell local("node " + std::to_string(node) + " is left");
    co_yield node;
    if (node < 1'000'000)
        co_yield eddy::elements_of(path_from(node + 1));
}

void visit_two() {
    for (const int node : path_from(1)) {
        std::printf("visited %d\n", node);
        if (node == 2)
            break;  // the generator goes with the loop, its innermost coroutine first
    }
}
// [/snippet]

// [snippet: async]
eddy::async_generator<std::string> lines_of(eddy::tcp_stream& stream) {
    const farewell local("the source of lines is gone");
    std::string text;
    std::array<char, 512> buffer;
    while (const std::size_t count = co_await stream.read(std::as_writable_bytes(std::span(buffer)))) {
        text.append(buffer.data(), count);
        for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
            co_yield text.substr(0, end);
            text.erase(0, end + 1);
        }
    }
}

eddy::task<> read_two_lines(eddy::tcp_stream& stream) {
    auto lines = lines_of(stream);
    for (int number = 0; number < 2; ++number)
        if (const auto line = co_await lines.next())
            std::printf("line: %s\n", line->c_str());
}
// [/snippet]

// [snippet: ticker]
eddy::task<> tick_twice() {
    eddy::ticker every(1ms, eddy::ticker_options().missed(eddy::missed_ticks::burst));
    while (const auto tick = co_await every.next()) {
        std::printf("tick %d\n", static_cast<int>(tick->number()));
        if (tick->number() == 2)
            every.stop();  // the next next() returns nothing
    }
}

eddy::task<> flush_twice() {
    int flushes = 0;
    const auto flush = [&flushes] {
        std::printf("flushed %d\n", ++flushes);
        return flushes < 2;
    };
    co_await eddy::repeat(1ms, flush);
}
// [/snippet]

eddy::task<> program() {
    visit_two();

    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto ends =
        co_await eddy::when_all(listener.accept(), eddy::tcp_stream::connect(listener.local_endpoint()));
    auto& [server, client] = ends;
    const std::string_view text = "one\ntwo\nthree\n";
    co_await server.write_all(std::as_bytes(std::span(text)));
    co_await read_two_lines(client);

    co_await tick_twice();
    co_await flush_twice();
}

int main() {
    eddy::run(program());
}
