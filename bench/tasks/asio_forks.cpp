#include "tasks/asio_awaitable.hpp"
#include "tasks/asio_tasks.hpp"
#include "tasks/checks.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>

#include <vector>

namespace bench {
namespace {

namespace asio = boost::asio;

asio_awaitable<std::uint64_t> skynet(asio_executor executor, std::uint64_t first, std::uint64_t leaves) {
    if (leaves == 1)
        co_return first;
    const std::uint64_t share = leaves / skynet_work::children;
    const auto child_at = [&](std::uint64_t child) {
        return asio::co_spawn(executor, skynet(executor, first + child * share, share), asio::deferred);
    };
    std::vector<decltype(child_at(0))> children;
    children.reserve(skynet_work::children);
    for (std::uint64_t child = 0; child < skynet_work::children; ++child)
        children.push_back(child_at(child));
    const auto [order, errors, values] = co_await asio::experimental::make_parallel_group(std::move(children))
                                             .async_wait(asio::experimental::wait_for_all(), asio::deferred);
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values)
        sum += value;
    co_return sum;
}

asio_awaitable<std::uint64_t> skynet_root() {
    co_return co_await skynet(co_await asio::this_coro::executor, 0, skynet_work::leaves);
}

asio_awaitable<std::uint64_t> fib(int number) {
    using namespace asio::experimental::awaitable_operators;
    if (number < 2)
        co_return static_cast<std::uint64_t>(number);
    const auto [larger, smaller] = co_await (fib(number - 1) && fib(number - 2));
    co_return larger + smaller;
}

}  // namespace

sample asio_skynet(const skynet_work& work) {
    return repeat_runs(work.seconds, skynet_work::leaves,
                       [&] { expect_value(skynet_work::sum, run_task(work.threads, skynet_root())); });
}

sample asio_fib(const fib_work& work) {
    return repeat_runs(work.seconds, fib_work::calls, [&] {
        expect_value(fib_work::result, run_task(work.threads, fib(fib_work::number)));
    });
}

}  // namespace bench
