#include "common/print.hpp"
#include "common/program.hpp"
#include "multicast/commands.hpp"

#include <eddy/net/network_interfaces.hpp>

#include <fmt/format.h>

#include <string>

namespace eddy::apps {

namespace {

/// Without the port: "127.0.0.1:0", "[::1]:0".
std::string address_of(const endpoint& at) {
    std::string text = at.to_string();
    text.resize(text.rfind(':'));
    if (text.starts_with('['))
        text = text.substr(1, text.size() - 2);
    return text;
}

std::string state_of(const io::network_interface& shown) {
    std::string state = shown.is_up ? "up" : "down";
    if (shown.is_loopback)
        state += ",loopback";
    if (shown.has_multicast)
        state += ",multicast";
    return state;
}

int list() {
    std::string lines;
    for (const io::network_interface& each : network_interfaces()) {
        lines += fmt::format("{:>3} {:<15} {:<22}", each.index, each.name, state_of(each));
        for (const endpoint& address : each.addresses)
            lines += " " + address_of(address);
        lines += '\n';
    }
    print_text(lines);
    return done;
}

}  // namespace

command add_interfaces_command(CLI::App& program) {
    program.add_subcommand("interfaces", "List the machine's network interfaces");
    return &list;
}

}  // namespace eddy::apps
