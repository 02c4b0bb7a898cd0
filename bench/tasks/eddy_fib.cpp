#include "tasks/checks.hpp"
#include "tasks/eddy_tasks.hpp"

#include <eddy/eddy.hpp>

namespace bench {
namespace {

eddy::task<std::uint64_t> fib(int number) {
    if (number < 2)
        co_return static_cast<std::uint64_t>(number);
    auto larger = eddy::spawn(fib(number - 1));
    const std::uint64_t smaller = co_await fib(number - 2);
    co_return smaller + co_await larger;
}

// Tasks stay on their workers, so the calls of the first levels are dealt out.
eddy::task<std::uint64_t> fib_on_all_workers(int number, int levels) {
    if (levels == 0)
        co_return co_await fib(number);
    auto larger = eddy::runtime::current().spawn(fib_on_all_workers(number - 1, levels - 1));
    const std::uint64_t smaller = co_await fib_on_all_workers(number - 2, levels - 1);
    co_return smaller + co_await larger;
}

}  // namespace

sample eddy_fib(const fib_work& work) {
    constexpr int levels_dealt_out = 5;
    eddy::runtime workers(eddy::runtime_options().workers(work.threads));
    return repeat_runs(work.seconds, fib_work::calls, [&] {
        expect_value(fib_work::result,
                     workers.run(work.threads == 1 ? fib(fib_work::number)
                                                   : fib_on_all_workers(fib_work::number, levels_dealt_out)));
    });
}

}  // namespace bench
