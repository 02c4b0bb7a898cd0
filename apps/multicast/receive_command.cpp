#include "common/log.hpp"
#include "common/program.hpp"
#include "multicast/commands.hpp"
#include "multicast/group.hpp"
#include "multicast/printable.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/mutex.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::apps {

namespace {

constexpr std::size_t received_bytes_max = 65'535;

struct receive_options {
    group_options common;
    std::vector<std::string> groups;
    std::vector<std::string> sources;
    std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
    double wait_s = 0;
    bool is_raw = false;
};

/// How many more datagrams are to be printed, by all sockets together.
struct receiving {
    explicit receiving(const receive_options& wanted) : options(wanted), left(wanted.count) {}
    const receive_options& options;
    output_stream output = standard_output();
    mutex writing;
    std::uint64_t left;
};

task<> print(receiving& state, std::string_view bytes, endpoint from) {
    std::string line;
    if (!state.options.is_raw)
        line = fmt::format("{} ", from.to_string()) + printable(bytes);
    else
        line = bytes;
    line += '\n';
    const auto turn = co_await state.writing.lock();
    co_await state.output.write_all(as_bytes(line));
}

/// Ends once it has printed the last one.
task<> receive_from(udp_socket& socket, receiving& state) {
    std::string room(received_bytes_max, '\0');
    for (;;) {
        const auto datagram = co_await socket.receive_from(std::as_writable_bytes(std::span(room)));
        if (state.left == 0)
            continue;
        const bool is_last = --state.left == 0;
        co_await print(state, std::string_view(room).substr(0, datagram.size), datagram.from);
        if (is_last)
            co_return;
    }
}

/// What is to be heard.
struct subscription {
    explicit subscription(const receive_options& wanted) : interface(wanted.common.interface_index()) {
        for (const std::string& address : wanted.groups)
            groups.push_back(parse_group(address, wanted.common.port));
        for (const std::string& address : wanted.sources)
            sources.push_back(parse_source(address));
        for (std::size_t place = 0; place < groups.size() && !sources.empty(); ++place)
            if (std::ranges::find(sources, groups[place].address_family(), &endpoint::address_family) ==
                sources.end())
                throw std::invalid_argument("no source is of the family of " + wanted.groups[place]);
    }

    void join(udp_socket& socket, const endpoint& group) const {
        if (sources.empty())
            socket.join(group, interface);
        for (const endpoint& source : sources)
            if (source.address_family() == group.address_family())
                socket.join_source(group, source, interface);
    }

    std::vector<endpoint> groups;
    std::vector<endpoint> sources;  // of anybody, if there are none
    unsigned interface;
};

/// A socket for the groups of each family.
std::vector<udp_socket> open_sockets(const subscription& wanted) {
    std::vector<udp_socket> sockets;
    for (const auto family : {endpoint::family::ipv4, endpoint::family::ipv6}) {
        bool is_open = false;
        for (const endpoint& group : wanted.groups) {
            if (group.address_family() != family)
                continue;
            if (!std::exchange(is_open, true)) {
                const bool is_v4 = family == endpoint::family::ipv4;
                sockets.push_back(udp_socket::bind(
                    is_v4 ? endpoint::any_ipv4(group.port()) : endpoint::any_ipv6(group.port()),
                    udp_options().reuse_address(true)));
            }
            wanted.join(sockets.back(), group);
        }
    }
    return sockets;
}

task<> receive_all(std::vector<udp_socket>& sockets, receiving& state) {
    if (sockets.size() == 1) {
        co_await receive_from(sockets.front(), state);
    } else {
        co_await race(receive_from(sockets.front(), state), receive_from(sockets.back(), state));
    }
}

task<> until_signalled(signal_set& ending) {
    co_await ending.wait();
}

task<int> receive(subscription wanted, const receive_options& options) {
    signal_set ending({SIGINT, SIGTERM});
    std::vector<udp_socket> sockets = open_sockets(wanted);
    receiving state(options);
    log("receiving {} at port {} ({})", fmt::join(options.groups, ", "), options.common.port,
        runtime::current().backend_name());
    auto ended = race(receive_all(sockets, state), until_signalled(ending));
    if (options.wait_s <= 0) {
        co_await std::move(ended);
        co_return done;
    }
    const auto in_time =
        co_await as_result(with_timeout(std::move(ended), std::chrono::duration<double>(options.wait_s)));
    if (in_time)
        co_return done;
    if (in_time.error() != std::errc::timed_out)
        throw std::system_error(in_time.error(), "receive");
    log("nothing more came within {} s", options.wait_s);
    co_return failed;
}

}  // namespace

command add_receive_command(CLI::App& program) {
    auto options = std::make_shared<receive_options>();
    CLI::App& receiver = *program.add_subcommand("receive", "Print the datagrams of groups, a line each");
    receiver.add_option("group", options->groups, "Addresses of groups, IPv4 and IPv6")->required();
    options->common.add_to(receiver);
    receiver
        .add_option("--source", options->sources, "Only what this address sends; may be given several times")
        ->allow_extra_args(false);
    receiver.add_option("--count", options->count, "Datagrams after which it ends; none: a signal does")
        ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
    receiver.add_option("--wait", options->wait_s, "Seconds after which it gives up; 0: never")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 86'400.0));
    receiver.add_flag("--raw", options->is_raw, "The bytes as they came, without their senders");
    return [options] {
        const subscription wanted(*options);
        runtime here(options->common.runtime());
        return here.run(receive(wanted, *options));
    };
}

}  // namespace eddy::apps
