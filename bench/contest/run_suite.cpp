#include "contest/run_suite.hpp"

#include "contest/choice.hpp"
#include "contest/isolated.hpp"
#include "contest/report.hpp"
#include "driver/errors.hpp"
#include "driver/machine.hpp"

#include <fmt/format.h>

#include <fstream>

namespace bench {
namespace {

// Far beyond what anything takes that does not hang: a peer may be long in working off what was fed to it.
double seconds_allowed(const contest_options& options) {
    return 60 + 20 * (options.seconds + options.warmup_seconds);
}

sample measure(const contest& held, const contender& one, const contest_options& options) {
    const auto warm_up_and_measure = [&] {
        if (options.warmup_seconds > 0 && !one.warms_up_itself)
            one.measure(options.warmup_seconds);
        return one.measure(options.seconds);
    };
    std::vector<int> cores = options.cores;
    if (held.is_single_threaded)
        cores.resize(1);
    try {
        return measure_isolated(warm_up_and_measure, cores, seconds_allowed(options));
    } catch (const failure& error) {
        throw failure(fmt::format("{}, {}: {}", held.name, one.name, error.what()));
    }
}

machine_facts facts_that_matter() {
    machine_facts facts = describe_machine();
    std::erase_if(facts, [](const auto& fact) { return fact.first == "nginx"; });
    return facts;
}

void run(const suite& measured, const contest_options& options) {
    const std::vector<contest> contests =
        chosen_contests(measured, options.contests, options.contenders,
                        options.exact ? name_match::whole : name_match::contained);
    std::ofstream json_file;
    if (!options.json_file.empty() && (json_file.open(options.json_file), !json_file))
        throw failure("cannot write " + options.json_file);
    if (options.list) {
        print_contests(contests);
        if (json_file.is_open())
            json_file << list_json(measured, contests).dump(2) << '\n';
        return;
    }
    const machine_facts machine = facts_that_matter();
    print_head(measured, machine, options);
    std::vector<contest_result> results;
    for (const contest& one : contests) {
        results.push_back(hold(one, options.repeat, [&](const contest& held, const contender& measured_now) {
            return measure(held, measured_now, options);
        }));
        print_rows(results.back(), measured);
    }
    if (json_file.is_open())
        json_file << to_json(measured, machine, options, results).dump(2) << '\n';
}

int fail(const suite& measured, int status, const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", measured.program, error.what());
    return status;
}

}  // namespace

int run_suite(const suite& measured, int argc, char** argv) {
    try {
        run(measured, parse_contest_options(measured, argc, argv));
        return 0;
    } catch (const usage_error& error) {
        return fail(measured, 2, error);
    } catch (const std::exception& error) {
        return fail(measured, 1, error);
    }
}

}  // namespace bench
