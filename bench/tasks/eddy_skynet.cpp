#include "tasks/checks.hpp"
#include "tasks/eddy_tasks.hpp"

#include <eddy/eddy.hpp>

#include <vector>

namespace bench {
namespace {

eddy::task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves) {
    if (leaves == 1)
        co_return first;
    const std::uint64_t share = leaves / skynet_work::children;
    std::vector<eddy::task<std::uint64_t>> children;
    children.reserve(skynet_work::children);
    for (std::uint64_t child = 0; child < skynet_work::children; ++child)
        children.push_back(skynet(first + child * share, share));
    const std::vector<std::uint64_t> values = co_await eddy::when_all(children);
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values)
        sum += value;
    co_return sum;
}

// Tasks stay on their workers, so the first ten are dealt out.
eddy::task<std::uint64_t> skynet_on_all_workers() {
    eddy::runtime& here = eddy::runtime::current();
    constexpr std::uint64_t share = skynet_work::leaves / skynet_work::children;
    std::vector<eddy::remote_handle<std::uint64_t>> children;
    for (std::uint64_t child = 0; child < skynet_work::children; ++child)
        children.push_back(
            here.spawn_on(child % here.workers(), [child] { return skynet(child * share, share); }));
    std::uint64_t sum = 0;
    for (auto& child : children)
        sum += co_await child;
    co_return sum;
}

}  // namespace

sample eddy_skynet(const skynet_work& work) {
    eddy::runtime workers(eddy::runtime_options().workers(work.threads));
    return repeat_runs(work.seconds, skynet_work::leaves, [&] {
        expect_value(skynet_work::sum, workers.run(work.threads == 1 ? skynet(0, skynet_work::leaves)
                                                                     : skynet_on_all_workers()));
    });
}

}  // namespace bench
