// A producer and a consumer on two workers, with a queue of limited length between them.
//
//     build/release/examples/condition_variable
//
// It prints:
//
//     1 + 2 + ... + 1000 = 500500
//     nothing came within 20 ms
//     at most 2 at a time
//     the readers saw version 1
//     a thread has the lock

#include <eddy/eddy.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

// [snippet: queue]
class number_queue {
public:
    eddy::task<> push(int number) {
        auto guard = co_await mutex_.lock();
        co_await has_room_.wait(guard, [this] { return numbers_.size() < numbers_max; });
        numbers_.push_back(number);
        has_numbers_.notify_one();
    }

    eddy::task<int> pop() {
        auto guard = co_await mutex_.lock();
        co_await has_numbers_.wait(guard, [this] { return !numbers_.empty(); });
        co_return take_first();
    }

    // Nothing, if none comes in time.
    eddy::task<std::optional<int>> pop_for(eddy::duration length) {
        auto guard = co_await mutex_.lock();
        const bool has_one =
            co_await has_numbers_.wait_for(guard, length, [this] { return !numbers_.empty(); });
        co_return has_one ? std::optional(take_first()) : std::nullopt;
    }

private:
    static constexpr std::size_t numbers_max = 8;

    int take_first() {
        const int first = numbers_.front();
        numbers_.pop_front();
        has_room_.notify_one();
        return first;
    }

    eddy::mutex mutex_;
    eddy::condition_variable has_room_;
    eddy::condition_variable has_numbers_;
    std::deque<int> numbers_;  // the mutex guards it
};
// [/snippet]

constexpr int numbers = 1000;

// Owned by both, since they run on two workers.
eddy::task<> produce(std::shared_ptr<number_queue> queue) {
    for (int number = 1; number <= numbers; ++number)
        co_await queue->push(number);
}

eddy::task<> produce_and_consume() {
    const auto queue = std::make_shared<number_queue>();
    auto producing = eddy::runtime::current().spawn_on(1, produce(queue));
    int sum = 0;
    for (int count = 0; count < numbers; ++count)
        sum += co_await queue->pop();
    co_await producing;
    std::printf("1 + 2 + ... + %d = %d\n", numbers, sum);

    const auto late = co_await queue->pop_for(20ms);
    if (!late)
        std::puts("nothing came within 20 ms");
}

// [snippet: semaphore]
eddy::task<> fetch(eddy::semaphore& at_once, int& running, int& most) {
    const auto permit = co_await at_once.acquire();
    most = std::max(most, ++running);
    co_await eddy::sleep_for(1ms);  // the work
    --running;
}

eddy::task<> fetch_all() {
    eddy::semaphore at_once(2);
    int running = 0;
    int most = 0;
    std::vector<eddy::task<>> all;
    for (int count = 0; count < 6; ++count)
        all.push_back(fetch(at_once, running, most));
    co_await eddy::when_all(std::move(all));
    std::printf("at most %d at a time\n", most);
}
// [/snippet]

// [snippet: shared_mutex]
struct settings {
    eddy::shared_mutex access;
    int version = 0;
};

eddy::task<int> read(settings& from) {
    const auto reading = co_await from.access.lock_shared();  // with other readers
    co_return from.version;
}

eddy::task<> change(settings& changed) {
    const auto writing = co_await changed.access.lock();  // alone
    ++changed.version;
}
// [/snippet]

eddy::task<> change_and_read() {
    settings shared;
    co_await change(shared);
    const auto versions = co_await eddy::when_all(read(shared), read(shared));
    const auto& [one, other] = versions;
    if (one == other)
        std::printf("the readers saw version %d\n", one);
}

// [snippet: thread]
eddy::task<> lock_from_a_thread() {
    eddy::mutex shared;
    eddy::semaphore done(0);
    const std::jthread outside([&] {
        const auto guard = shared.lock_blocking();  // a thread that is no worker blocks
        std::puts("a thread has the lock");
        done.release();
    });
    const auto permit = co_await done.acquire();  // a task waits
}
// [/snippet]

eddy::task<> program() {
    co_await produce_and_consume();
    co_await fetch_all();
    co_await change_and_read();
    co_await lock_from_a_thread();
}

int main() {
    eddy::run(program(), eddy::runtime_options().workers(2));
}
