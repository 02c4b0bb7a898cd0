// Waits for the wall clock and for the boot clock, which are set and pretended to have jumped.

#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/clock_sleep.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/testing/shift_clocks.hpp>

#include <chrono>

namespace eddy::test::clock_test {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

task<> sleep_to(system_clock::time_point time) {
    const tracked local;
    co_await sleep_until(time);
}

task<> sleep_to_boot(boot_clock::time_point time) {
    const tracked local;
    co_await sleep_until(time);
}

task<> waits_for_clocks() {
    const auto now = system_clock::now();
    co_await sleep_to(system_clock::time_point::min());
    co_await when_all(sleep_to(now + 200us), sleep_to(now + 100us), sleep_to_boot(boot_clock::now() + 100us));
    require(system_clock::now() >= now + 200us, "a wait for the wall clock was early");
}

task<> sets_the_wall_clock() {
    co_await yield();
    testing::set_wall_clock_ahead(-1h);
    co_await yield();
    testing::set_wall_clock_ahead(48h);
}

task<> follows_the_wall_clock() {
    co_await when_all(sleep_to(system_clock::now() + 24h), sets_the_wall_clock());
}

task<> suspends_the_machine() {
    co_await sleep_for(50us);
    testing::pretend_suspension(2h);
}

task<> follows_a_suspension() {
    co_await when_all(sleep_to_boot(boot_clock::now() + 1h), sleep_to(system_clock::now() + 1h),
                      suspends_the_machine());
}

task<> gives_up_a_wait_for_a_clock() {
    const auto late = co_await as_result(with_timeout(sleep_until(system_clock::now() + 24h), 50us));
    require_error(late, std::errc::timed_out, "a day has passed");
    const auto first = co_await race(sleep_to(system_clock::now() + 24h), sleep_for(50us));
    require(first.index() == 1, "a day has passed");
}

const scenario_suite listed({
    listed_scenario("waits_for_clocks", &waits_for_clocks).suspensions_min(3),
    listed_scenario("a_wait_for_a_wall_clock_that_is_set", &follows_the_wall_clock).suspensions_min(3),
    listed_scenario("waits_while_the_machine_is_suspended", &follows_a_suspension).suspensions_min(2),
    listed_scenario("a_wait_for_a_clock_that_is_given_up", &gives_up_a_wait_for_a_clock).suspensions_min(2),
});

}  // namespace
}  // namespace eddy::test::clock_test
