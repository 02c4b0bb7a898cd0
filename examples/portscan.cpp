// Lists which TCP ports of a host are open, and what their services send first. Many are tried at the same
// time, each with a deadline of its own. The host is a name or an address; a range of ports is FIRST-LAST.
//
//     build/release/examples/portscan 127.0.0.1 1-10000
//     build/release/examples/portscan localhost 20-25 --at-once 10 --timeout-ms 500
//
// It prints a line for each open port, in order, and a summary:
//
//     7000 open
//     7022 open: SSH-2.0-OpenSSH_9.2
//     2 open, 9997 closed, 1 silent

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/host.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace {

struct wishes {
    std::string host;
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    unsigned at_once = 500;
    unsigned timeout_ms = 1000;
};

struct findings {
    std::map<std::uint16_t, std::string> open;  // with what they said
    unsigned closed = 0;
    unsigned silent = 0;
};

/// The first line, without what would upset a terminal.
std::string first_line(std::string_view said) {
    std::string line;
    for (const char each : said.substr(0, said.find_first_of("\r\n")))
        line += each >= ' ' && each <= '~' ? each : '.';
    return line;
}

// A server that waits for its client to speak first says nothing.
eddy::task<std::string> banner_of(eddy::tcp_stream& stream, std::chrono::milliseconds patience) {
    std::string room(200, '\0');
    const auto count = co_await eddy::as_result(
        eddy::with_timeout(stream.read(std::as_writable_bytes(std::span(room))), patience));
    co_return first_line(std::string_view(room).substr(0, count.value_or(0)));
}

eddy::endpoint at_port(const eddy::endpoint& host, std::uint16_t port) {
    if (host.address_family() == eddy::endpoint::family::ipv6)
        return eddy::endpoint::ipv6(host.address(), port, host.scope());
    const auto& bytes = host.address();
    return eddy::endpoint::ipv4({bytes[0], bytes[1], bytes[2], bytes[3]}, port);
}

eddy::task<> probe(eddy::endpoint at, std::chrono::milliseconds patience, findings& found) {
    auto stream = co_await eddy::as_result(eddy::with_timeout(eddy::tcp_stream::connect(at), patience));
    if (stream) {
        std::string said = co_await banner_of(*stream, patience);
        found.open.emplace(at.port(), std::move(said));
    } else if (stream.error() == std::errc::connection_refused) {
        ++found.closed;
    } else {
        ++found.silent;  // timed out, or the network reports the host unreachable
    }
}

eddy::task<> scan(wishes requested) {
    const auto found_addresses = co_await eddy::resolve(requested.host, std::to_string(requested.first));
    const eddy::endpoint host = found_addresses.front();
    findings found;
    eddy::task_set probes(eddy::task_set_options().tasks_max(requested.at_once));
    const std::chrono::milliseconds patience(requested.timeout_ms);
    for (unsigned port = requested.first; port <= requested.last; ++port) {
        const eddy::endpoint at = at_port(host, static_cast<std::uint16_t>(port));
        co_await probes.spawn_when_free(probe(at, patience, found), "probe");
    }
    co_await probes.join();
    for (const auto& [port, said] : found.open)
        std::printf("%u open%s%s\n", unsigned{port}, said.empty() ? "" : ": ", said.c_str());
    std::printf("%zu open, %u closed, %u silent\n", found.open.size(), found.closed, found.silent);
}

template <class Number>
Number number_of(std::string_view text, Number least) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least)
        throw std::invalid_argument("not a number that can be used here: " + std::string(text));
    return number;
}

wishes read(std::span<char*> arguments) {
    if (arguments.size() < 2)
        throw std::invalid_argument("usage: portscan HOST FIRST-LAST [--at-once N] [--timeout-ms N]");
    wishes requested;
    requested.host = arguments[0];
    const std::string_view range = arguments[1];
    const auto dash = range.find('-');
    requested.first = number_of<std::uint16_t>(range.substr(0, dash), 1);
    requested.last =
        dash == range.npos ? requested.first : number_of(range.substr(dash + 1), requested.first);
    for (std::size_t at = 2; at < arguments.size(); at += 2) {
        const std::string_view name = arguments[at];
        if ((name != "--at-once" && name != "--timeout-ms") || at + 1 == arguments.size())
            throw std::invalid_argument("not an option with a value: " + std::string(name));
        (name == "--at-once" ? requested.at_once : requested.timeout_ms) = number_of(arguments[at + 1], 1U);
    }
    return requested;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        wishes requested = read(std::span(arguments, static_cast<std::size_t>(count)).subspan(1));
        eddy::io::raise_descriptor_limit();
        eddy::run(scan(std::move(requested)));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "portscan: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "portscan: %s\n", error.what());
        return 1;
    }
}
