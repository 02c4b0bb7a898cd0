#include "testing/stage.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/detail/allocation_window.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>

#include <cstdint>
#include <new>
#include <system_error>

namespace eddy::testing {

namespace {

using detail::allocation_window;

/// While it lives, this thread's frames come from the heap.
class cache_bypass {
public:
    cache_bypass() { detail::frame_cache::bypass(true); }
    cache_bypass(const cache_bypass&) = delete;
    cache_bypass& operator=(const cache_bypass&) = delete;
    ~cache_bypass() { detail::frame_cache::bypass(false); }
};

/// While it lives, the allocation with that number fails.
class failing_allocation {
public:
    explicit failing_allocation(std::uint64_t number) noexcept { allocation_window::open(number); }
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation() { allocation_window::close(); }
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
std::exception_ptr run_failing(stage& at, std::uint64_t allocation) noexcept {
    const failing_allocation failing(allocation);
    try {
        at.begin();
        at.turn_until([&] { return at.main_has_ended(); });
    } catch (...) {
        return std::current_exception();
    }
    return at.end();
}

// Returns whether an allocation has failed.
bool run_once(stage& at, std::uint64_t allocation) {
    at.prepare();
    const std::exception_ptr thrown = run_failing(at, allocation);
    const bool has_failed = allocation_window::has_failed();
    const std::string run =
        has_failed ? "allocation " + std::to_string(allocation) + " failed" : "no allocation failed";
    if (thrown && !(has_failed && says_out_of_memory(thrown)))
        at.find(run, thrown);
    at.check(run);
    return has_failed;
}

}  // namespace

report fail_allocation_everywhere(scenario tried, const scenario_options& options) {
    report found("fail_allocation_everywhere", options.name());
    stage here(tried, options, options.runtime(), found);
    const cache_bypass no_cache;
    for (std::uint64_t allocation = 1; here.may_run() && run_once(here, allocation);
         allocation += options.stride())
        found.count_point();
    return found;
}

}  // namespace eddy::testing
