// eddy-multicast: sends datagrams to a multicast group, receives those of groups, and lists the interfaces
// over which that can be done (docs/multicast.md).
//
//     eddy-multicast interfaces
//     eddy-multicast receive 239.1.2.3 --port 7000 --interface lo &
//     eddy-multicast send 239.1.2.3 --port 7000 --interface lo hello

#include "common/program.hpp"
#include "multicast/commands.hpp"

#include <CLI/CLI.hpp>

int main(int count, char** arguments) {
    using namespace eddy::apps;
    CLI::App program("Sends to multicast groups and receives from them", "eddy-multicast");
    program.require_subcommand(1);
    const command send = add_send_command(program);
    const command receive = add_receive_command(program);
    const command interfaces = add_interfaces_command(program);
    return run_program(program, count, arguments, [&] {
        if (program.got_subcommand("send"))
            return send();
        if (program.got_subcommand("receive"))
            return receive();
        return interfaces();
    });
}
