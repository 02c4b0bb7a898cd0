// The arguments of a task, and how long they live.
//
//     build/release/examples/lifetimes
//
// It prints:
//
//     the task has ended, and what it was given is gone
//     its result is still here: 42
//     added by tasks that refer to a local: 3 numbers
//     a detached task says: all of this is mine
//     sent by the outbox: hello
//     the request was dropped, the letter was sent
//     5 and 7 by a lambda that outlives its tasks

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

// [snippet: given]
eddy::task<int> use(std::shared_ptr<int> given) {
    co_await eddy::yield();
    co_return *given;
}

eddy::task<> look_at_a_handle() {
    auto given = std::make_shared<int>(42);
    const std::weak_ptr<int> seen = given;
    eddy::handle<int> running = eddy::spawn(use(std::move(given)));
    while (!running.done())
        co_await eddy::yield();
    if (seen.expired())
        std::puts("the task has ended, and what it was given is gone");
    std::printf("its result is still here: %d\n", co_await running);
}
// [/snippet]

// [snippet: references]
eddy::task<> add(std::vector<int>& numbers, int number) {
    co_await eddy::yield();
    numbers.push_back(number);
}

eddy::task<> refer_to_a_local() {
    std::vector<int> numbers;
    co_await eddy::when_all(add(numbers, 1), add(numbers, 2));  // both end before `numbers` does
    eddy::handle<> adding = eddy::spawn(add(numbers, 3));       // declared after it: dropped before it
    co_await adding;
    std::printf("added by tasks that refer to a local: %zu numbers\n", numbers.size());
}
// [/snippet]

// [snippet: detached]
eddy::task<> say(std::string text) {
    co_await eddy::yield();
    std::printf("a detached task says: %s\n", text.c_str());
}

// The view is of the caller's text, and the task outlives the call: so it gets a copy.
void say_later(std::string_view text) {
    eddy::spawn(say(std::string(text)), "say").detach();
}
// [/snippet]

// [snippet: outbox]
// Owns what must outlive the tasks that use it.
class outbox {
public:
    void send(std::string letter) { sending_.spawn(deliver(std::move(letter)), "letter"); }
    auto join() { return sending_.join(); }

private:
    static eddy::task<> deliver(std::string letter) {
        co_await eddy::sleep_for(1ms);
        std::printf("sent by the outbox: %s\n", letter.c_str());
    }

    eddy::task_set sending_;
};

eddy::task<> serve_request(outbox& letters) {
    letters.send("hello");
    co_await eddy::sleep_for(1h);  // dropped here; the letter is sent all the same
}
// [/snippet]

eddy::task<> drop_a_request() {
    outbox letters;
    {
        const eddy::handle<> request = eddy::spawn(serve_request(letters));
        co_await eddy::yield();
    }
    co_await letters.join();
    std::puts("the request was dropped, the letter was sent");
}

// [snippet: lambda]
eddy::task<> call_a_lambda_twice() {
    std::vector<int> numbers;
    const auto add = [&numbers](int number) -> eddy::task<> {
        co_await eddy::yield();
        numbers.push_back(number);
    };
    co_await eddy::when_all(add(5), add(7));  // `add`, and so its captures, are still there
    std::printf("%d and %d by a lambda that outlives its tasks\n", numbers[0], numbers[1]);
}
// [/snippet]

eddy::task<> program() {
    co_await look_at_a_handle();
    co_await refer_to_a_local();
    say_later("all of this is mine");
    co_await eddy::yield();
    co_await eddy::yield();
    co_await drop_a_request();
    co_await call_a_lambda_twice();
}

int main() {
    eddy::run(program());
}
