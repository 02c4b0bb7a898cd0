#include "integrations_execution/senders.hpp"
#include "support/run_bounded.hpp"

// What docs/guide/execution.md shows.
#include <eddy/core/task.hpp>
#include <eddy/integrations/execution.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

namespace eddy::guide_test {
namespace {

using namespace std::chrono_literals;
namespace standard = execution::detail::standard;

// [snippet: await]
// A task that awaits a sender of any library.
template <class Sender>
eddy::task<int> twice(Sender sender) {
    const int once = co_await eddy::execution::as_task(std::move(sender));
    co_return 2 * once;
}
// [/snippet]

// [snippet: send]
eddy::task<int> measure() {
    co_await eddy::sleep_for(1ms);
    co_return 21;
}

// A sender for any library that takes one. It is started on a worker.
auto measuring() {
    return eddy::execution::as_sender(measure());
}
// [/snippet]

// [snippet: schedule]
// Brings whoever starts it to worker 0 of a runtime.
auto arrive(eddy::runtime& at) {
    return eddy::execution::scheduler(eddy::executor::of_worker(at, 0)).schedule();
}
// [/snippet]

TEST(the_guide, shows_what_works) {
    test::run_bounded([]() -> task<> {
        EXPECT_EQ(co_await twice(measuring()), 42);
        event<> is_over;
        test::outcome seen;
        seen.then = [&] { is_over.set(); };
        auto operation = standard::connect(arrive(runtime::current()), test::recorder(seen));
        standard::start(operation);
        co_await is_over.wait();
        EXPECT_FALSE(seen.is_stopped());
    }());
}

}  // namespace
}  // namespace eddy::guide_test
