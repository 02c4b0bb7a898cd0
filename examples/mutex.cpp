// A hundred tasks on all workers add to one number, one at a time. While a task waits for the lock its worker
// runs others; the lock is held across an await.
//
//     build/release/examples/mutex
//
// It prints:
//
//     1000000

#include <eddy/eddy.hpp>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

constexpr std::size_t tasks = 100;
constexpr int additions = 10'000;
struct shared_number {
    eddy::mutex lock;
    long value = 0;
};

eddy::task<> add(std::shared_ptr<shared_number> shared) {
    const auto guard = co_await shared->lock.lock();
    const long before = shared->value;
    co_await eddy::yield();
    shared->value = before + additions;
}

eddy::task<> program() {
    const auto shared = std::make_shared<shared_number>();
    auto& here = eddy::runtime::current();
    std::vector<eddy::remote_handle<>> adding;
    for (std::size_t at = 0; at < tasks; ++at)
        adding.push_back(here.spawn_on(at % here.workers(), add(shared)));
    for (auto& each : adding)
        co_await each;
    std::printf("%ld\n", shared->value);
}

int main() {
    eddy::run(program(), eddy::runtime_options().workers(4));
}
