// Several workers: work handed to them and brought home, state that they share, functions of other threads.
//
//     build/release/examples/workers
//
// It prints:
//
//     worker 1 says 42
//     the pool says 1836311903
//     counted 4000
//     another thread said hello

#include <eddy/eddy.hpp>

#include <cstdio>
#include <string>
#include <thread>
#include <utility>

// [snippet: on]
eddy::task<int> answer() {
    co_await eddy::yield();
    co_return 42;
}

eddy::task<> ask_another_worker() {
    // The function runs on worker 1; what it returns, or throws, comes home.
    const int said = co_await eddy::on(1, answer);
    std::printf("worker 1 says %d\n", said);
}
// [/snippet]

// [snippet: executor]
int fibonacci(int n) {
    int number = 0;
    int next = 1;
    for (; n > 0; --n)
        number = std::exchange(next, n > 1 ? number + next : next);
    return number;
}

// Where it runs is the caller's choice: a worker, any worker, the offload pool, another library.
eddy::task<int> compute(eddy::executor where) {
    co_return co_await eddy::on(where, fibonacci, 46);
}

eddy::task<> compute_in_the_pool() {
    const int number = co_await compute(eddy::executor::pool(eddy::runtime::current()));
    std::printf("the pool says %d\n", number);
}
// [/snippet]

// [snippet: shared]
struct counter {
    eddy::mutex lock;
    int count = 0;
};

eddy::task<> add_a_thousand(counter& shared) {
    for (int times = 0; times < 1000; ++times) {
        const eddy::mutex_guard guard = co_await shared.lock.lock();
        ++shared.count;
    }
}

eddy::task<> count_together() {
    counter shared;
    // One on each worker; all are awaited, so that what they refer to outlives them.
    auto& here = eddy::runtime::current();
    auto adding = here.run_on_each([&shared](std::size_t) { return add_a_thousand(shared); });
    for (auto& each : adding)
        co_await each;
    std::printf("counted %d\n", shared.count);
}
// [/snippet]

// [snippet: threads]
eddy::task<> listen_to_a_thread() {
    eddy::oneshot<std::string> said;
    // Any thread may send into a oneshot or a channel, set an event, or post a function to a runtime.
    std::thread other([sender = std::move(said.sender)]() mutable { sender.send("hello"); });
    const std::string text = co_await said.receiver;
    other.join();
    std::printf("another thread said %s\n", text.c_str());
}
// [/snippet]

eddy::task<> program() {
    co_await ask_another_worker();
    co_await compute_in_the_pool();
    co_await count_together();
    co_await listen_to_a_thread();
}

int main() {
    eddy::run(program(), eddy::runtime_options().workers(4));
}
