#include "testing/stage.hpp"

#include <eddy/testing/shuffle.hpp>

namespace eddy::testing {

namespace {

void run_seed(stage& at, const std::string& run) {
    at.prepare();
    std::exception_ptr thrown;
    try {
        at.begin();
        at.turn_until([&] { return at.main_has_ended(); });
        thrown = at.end();
    } catch (...) {
        thrown = std::current_exception();
    }
    if (thrown)
        at.find(run, thrown);
    at.check(run);
}

}  // namespace

report shuffle_everywhere(scenario tried, std::uint64_t seeds, const scenario_options& options) {
    report found("shuffle_everywhere", options.name());
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        stage here(tried, options, runtime_options(options.runtime()).shuffle_seed(seed), found);
        if (!here.may_run())
            break;
        run_seed(here, "seed " + std::to_string(seed));
        found.count_point();
    }
    return found;
}

}  // namespace eddy::testing
