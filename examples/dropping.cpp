// What dropping a task does, and in which order.
//
//     build/release/examples/dropping
//
// It prints:
//
//     inner is gone
//     outer is gone
//     cancel() has returned
//     still here after cancel()
//     the task that cancels its own set is gone
//     read by its own copy: a parameter lives in the coroutine

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>
#include <string>

using namespace std::chrono_literals;

class farewell {
public:
    explicit farewell(const char* name) noexcept : name_(name) {}
    farewell(const farewell&) = delete;
    farewell& operator=(const farewell&) = delete;
    ~farewell() { std::printf("%s is gone\n", name_); }

private:
    const char* name_;
};

// [snippet: model]
eddy::task<> inner() {
    const farewell local("inner");
    co_await eddy::sleep_for(1h);
}

eddy::task<> outer() {
    const farewell local("outer");
    co_await inner();
}

eddy::task<> drop_a_chain() {
    eddy::handle<> running = eddy::spawn(outer(), "outer");
    co_await eddy::yield();  // lets it come to where it waits
    running.cancel();        // as would the end of the handle's life
    std::puts("cancel() has returned");
}
// [/snippet]

// [snippet: oneself]
eddy::task<> cancel_all(eddy::task_set& tasks) {
    const farewell local("the task that cancels its own set");
    tasks.cancel();
    std::puts("still here after cancel()");
    co_await eddy::yield();  // destroyed here
    std::puts("never said");
}
// [/snippet]

eddy::task<> drop_oneself() {
    eddy::task_set tasks;
    tasks.spawn(cancel_all(tasks), "cancelling");
    co_await eddy::yield();
}

eddy::task<> spawn_a_lambda() {
    // [snippet: lambda]
    const auto say = [](std::string text) -> eddy::task<> {
        co_await eddy::yield();
        std::printf("read by its own copy: %s\n", text.c_str());
    };
    eddy::handle<> saying = eddy::spawn(say("a parameter lives in the coroutine"));
    // [/snippet]
    co_await saying;
}

eddy::task<> program() {
    co_await drop_a_chain();
    co_await drop_oneself();
    co_await spawn_a_lambda();
}

int main() {
    eddy::run(program());
}
