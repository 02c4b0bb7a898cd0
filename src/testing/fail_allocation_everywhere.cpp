#include "testing/stage.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/detail/allocation_window.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::testing {

namespace {

using detail::allocation_window;
using detail::frame_cache;

/// While it lives, the allocation with that number fails on a worker, whose frames come from the heap.
class failing_allocation {
public:
    failing_allocation(stage& at, std::size_t worker, std::uint64_t number) : at_(at), worker_(worker) {
        at_.call_on(worker_, [number] {
            frame_cache::bypass(true);
            allocation_window::open(number);
        });
    }
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation() { static_cast<void>(close()); }

    /// Returns whether it has failed; from now on none does.
    bool close() noexcept {
        if (std::exchange(is_open_, false))
            at_.call_on(worker_, [this] {
                has_failed_ = allocation_window::has_failed();
                allocation_window::close();
                frame_cache::bypass(false);
            });
        return has_failed_;
    }

private:
    stage& at_;
    std::size_t worker_;
    bool is_open_ = true;
    bool has_failed_ = false;
};

bool says_out_of_memory(const std::exception_ptr& thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const std::system_error& caught) {
        return caught.code() == std::errc::not_enough_memory;
    } catch (...) {
        return false;
    }
}

// Returns the exception that left the scenario, if any.
std::exception_ptr run_scenario(stage& at) noexcept {
    try {
        at.begin();
        at.turn_until([&] { return at.main_has_ended(); });
    } catch (...) {
        return std::current_exception();
    }
    return at.end();
}

std::string describe(stage& at, std::size_t worker, std::uint64_t allocation) {
    const std::string which = "allocation " + std::to_string(allocation);
    return at.workers() == 1 ? which : which + " of worker " + std::to_string(worker);
}

// Returns whether an allocation has failed.
bool fail_once(stage& at, std::size_t worker, std::uint64_t allocation) {
    at.prepare();
    failing_allocation failing(at, worker, allocation);
    const std::exception_ptr thrown = run_scenario(at);
    const bool has_failed = failing.close();
    const std::string run = (has_failed ? describe(at, worker, allocation) : "no allocation") + " failed";
    if (thrown && !(has_failed && says_out_of_memory(thrown)))
        at.find(run, thrown);
    at.check(run);
    return has_failed;
}

}  // namespace

report fail_allocation_everywhere(scenario tried, const scenario_options& options) {
    report found("fail_allocation_everywhere", options.name());
    stage here(tried, options, options.runtime(), found);
    for (std::size_t worker = 0; worker < here.workers(); ++worker)
        for (std::uint64_t allocation = 1; here.may_run() && fail_once(here, worker, allocation);
             allocation += options.stride())
            found.count_point();
    return found;
}

}  // namespace eddy::testing
