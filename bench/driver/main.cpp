// Measures servers against each other.
//   eddy-bench --scenario echo --peer raw_io_uring,raw_epoll --payload 128 --connections 50
#include "common/descriptor_limit.hpp"
#include "driver/campaign.hpp"
#include "driver/certificates.hpp"
#include "driver/errors.hpp"
#include "driver/interrupt.hpp"
#include "driver/machine.hpp"
#include "driver/options.hpp"
#include "driver/report.hpp"
#include "driver/temporary_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

using namespace bench;

std::vector<configuration> chosen_configurations(const driver_options& options) {
    std::vector<configuration> result;
    for (const std::string& name : options.scenarios)
        for (configuration& c : configurations_of(find_scenario(name), options.only))
            result.push_back(std::move(c));
    if (result.empty())
        throw usage_error(
            "no configuration has that payload and these numbers of connections and threads; --list shows "
            "them");
    return result;
}

bool is_built(const peer& p, const driver_options& options) {
    const server_place place{1, options.settings.programs, {}, {}, 1};
    return std::ranges::all_of(p.commands, [&](const server_command& command) {
        return std::filesystem::exists(command.arguments(place).front());
    });
}

std::vector<peer> chosen_peers(const driver_options& options) {
    std::vector<peer> result;
    if (options.peers.empty()) {
        for (const peer& p : all_peers())
            if (p.needs.empty() || is_built(p, options))
                result.push_back(p);
            else
                fmt::print("the peer {} is left out: it was not built, which takes {}\n", p.name, p.needs);
        return result;
    }
    for (const std::string& name : options.peers)
        result.push_back(find_peer(name));
    return result;
}

// Before anything is measured: a missing program should not end a campaign half way.
void check_programs(const std::vector<configuration>& configurations, const std::vector<peer>& peers,
                    const driver_options& options, const std::filesystem::path& temporary) {
    for (const configuration& c : configurations) {
        const server_place place{1, options.settings.programs, temporary, temporary, c.threads};
        bool any = false;
        for (const peer& p : peers) {
            const server_command* command = find_command(p, c);
            if (!command)
                continue;
            any = true;
            const std::filesystem::path program = command->arguments(place).front();
            if (!std::filesystem::exists(program))
                throw failure(fmt::format("peer {} needs {}, which is not there", p.name, program.string()));
        }
        if (!any)
            throw usage_error(fmt::format("none of these peers offers {}", c.scenario));
    }
}

std::ofstream opened_json_file(const driver_options& options) {
    std::ofstream file;
    if (!options.json_file.empty() && (file.open(options.json_file), !file))
        throw failure("cannot write " + options.json_file);
    return file;
}

void list(driver_options options) {
    print_list();
    if (std::ofstream file = opened_json_file(options); file.is_open()) {
        if (options.scenarios.empty())
            for (const scenario& s : all_scenarios())
                options.scenarios.push_back(s.name);
        file << list_json(chosen_configurations(options), chosen_peers(options)).dump(2) << '\n';
    }
}

void run(const driver_options& options) {
    const std::vector<configuration> configurations = chosen_configurations(options);
    const std::vector<peer> peers = chosen_peers(options);
    catch_interrupts();
    raise_descriptor_limit();
    const temporary_directory temporary;
    check_programs(configurations, peers, options, temporary.path());
    std::filesystem::create_directory(temporary.path() / "root");
    write_resources(temporary.path() / "root");
    if (std::ranges::any_of(configurations, [](const configuration& c) { return is_tls(c.payload.service); }))
        make_certificates(temporary.path());
    std::ofstream json_file = opened_json_file(options);

    const machine_description machine = describe_machine();
    print_head(machine, options);
    std::vector<configuration_result> results;
    for (const configuration& c : configurations) {
        results.push_back(run_configuration(c, peers, options.repeat, options.settings, temporary.path()));
        print_table(results.back());
    }
    if (json_file.is_open())
        json_file << to_json(machine, options, results).dump(2) << '\n';
}

int fail(int status, const std::exception& error) {
    fmt::print(stderr, "eddy-bench: {}\n", error.what());
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const driver_options options = parse_driver_options(argc, argv);
        options.list ? list(options) : run(options);
        return 0;
    } catch (const usage_error& error) {
        return fail(2, error);
    } catch (const interrupted& error) {
        return fail(130, error);
    } catch (const std::exception& error) {
        return fail(1, error);
    }
}
