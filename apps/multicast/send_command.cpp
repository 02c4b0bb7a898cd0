#include "common/program.hpp"
#include "multicast/commands.hpp"
#include "multicast/group.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace eddy::apps {

namespace {

// An IPv4 packet holds no more.
constexpr std::size_t sent_bytes_max = 65'507;

struct send_options {
    group_options common;
    std::string group;
    std::vector<std::string> texts;
    int hops = 1;
    bool stays_off_this_machine = false;
    std::uint32_t count = 1;
    double interval_s = 1;
};

udp_socket open_sender(const endpoint& group, unsigned interface, const send_options& options) {
    const bool is_v4 = group.address_family() == endpoint::family::ipv4;
    udp_socket socket = udp_socket::bind(is_v4 ? endpoint::any_ipv4(0) : endpoint::any_ipv6(0));
    socket.set_option(io::socket_option::multicast_hops_max, options.hops);
    socket.set_option(io::socket_option::multicast_loopback, options.stays_off_this_machine ? 0 : 1);
    if (interface != 0)
        socket.set_option(io::socket_option::multicast_interface, static_cast<int>(interface));
    return socket;
}

task<> send_texts(udp_socket& socket, endpoint group, const send_options& options) {
    for (std::uint32_t time = 0; time < options.count; ++time) {
        if (time != 0)
            co_await sleep_for(std::chrono::duration<double>(options.interval_s));
        for (const std::string& text : options.texts)
            co_await socket.send_to(as_bytes(text), group);
    }
}

task<> send_lines(udp_socket& socket, endpoint group) {
    input_stream input = standard_input();
    for (;;) {
        const std::optional<std::string> line = co_await input.read_line(sent_bytes_max);
        if (!line)
            co_return;
        co_await socket.send_to(as_bytes(*line), group);
    }
}

task<int> send(endpoint group, unsigned interface, const send_options& options) {
    udp_socket socket = open_sender(group, interface, options);
    if (options.texts.empty())
        co_await send_lines(socket, group);
    else
        co_await send_texts(socket, group, options);
    co_return done;
}

}  // namespace

command add_send_command(CLI::App& program) {
    auto options = std::make_shared<send_options>();
    CLI::App& sending = *program.add_subcommand("send", "Send datagrams to a group");
    sending.add_option("group", options->group, "Address of the group, IPv4 or IPv6")->required();
    sending.add_option("text", options->texts,
                       "A datagram each; without any, each line of the standard input");
    options->common.add_to(sending);
    sending.add_option("--ttl", options->hops, "Routers that a datagram may pass, and one")
        ->capture_default_str()
        ->check(CLI::Range(0, 255));
    sending.add_flag("--no-loopback", options->stays_off_this_machine, "Not to receivers on this machine");
    sending.add_option("--count", options->count, "How often the texts are sent")
        ->capture_default_str()
        ->check(CLI::Range(1U, 1'000'000'000U));
    sending.add_option("--interval", options->interval_s, "Seconds between")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 86'400.0));
    return [options] {
        const endpoint group = parse_group(options->group, options->common.port);
        const unsigned interface = options->common.interface_index();
        runtime here(options->common.runtime());
        return here.run(send(group, interface, *options));
    };
}

}  // namespace eddy::apps
