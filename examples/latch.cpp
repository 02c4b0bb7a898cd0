// A task continues once a number of others, on all workers, have done their part.
//
//     build/release/examples/latch
//
// It prints:
//
//     4 parts are done
//     main is no worker and has waited too

#include <eddy/eddy.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <thread>

using namespace std::chrono_literals;

constexpr std::ptrdiff_t parts = 4;

struct shared_state {
    eddy::latch done{parts};
    std::atomic<int> finished{0};
};
eddy::task<> do_part(std::shared_ptr<shared_state> shared) {
    co_await eddy::sleep_for(10ms);
    ++shared->finished;
    shared->done.count_down();
}

eddy::task<> wait_for_all(std::shared_ptr<shared_state> shared) {
    co_await shared->done.wait();
    std::printf("%d parts are done\n", shared->finished.load());
}

eddy::task<> program(std::shared_ptr<shared_state> shared) {
    auto waiting = eddy::spawn(wait_for_all(shared));
    auto& here = eddy::runtime::current();
    for (std::size_t part = 0; part < static_cast<std::size_t>(parts); ++part)
        here.spawn_on(part % here.workers(), do_part(shared)).detach();
    co_await waiting;
}

int main() {
    const auto shared = std::make_shared<shared_state>();
    std::thread workers([&shared] { eddy::run(program(shared), eddy::runtime_options().workers(2)); });
    shared->done.wait_blocking();
    workers.join();
    std::puts("main is no worker and has waited too");
}
