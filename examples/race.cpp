// Several tasks at the same time: all of them, the first of them, the first that succeeds.
//
//     build/release/examples/race
//
// It prints:
//
//     both: fast and slow
//     failed: no such luck (the other is dropped)
//     outcomes: fast; no such luck
//     first: fast
//     first success: slow
//     first to end: 1, and the other still runs

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>

using namespace std::chrono_literals;

eddy::task<std::string> fast() {
    co_await eddy::sleep_for(1ms);
    co_return "fast";
}

eddy::task<std::string> slow() {
    co_await eddy::sleep_for(50ms);
    co_return "slow";
}

eddy::task<std::string> failing() {
    co_await eddy::sleep_for(1ms);
    throw std::runtime_error("no such luck");
}

std::string text_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& caught) {
        return caught.what();
    }
}

eddy::task<> wait_for_all() {
    // [snippet: all]
    const auto both = co_await eddy::when_all(fast(), slow());
    std::printf("both: %s and %s\n", std::get<0>(both).c_str(), std::get<1>(both).c_str());

    try {
        co_await eddy::when_all(failing(), eddy::sleep_for(1h));
    } catch (const std::exception& error) {
        std::printf("failed: %s (the other is dropped)\n", error.what());
    }

    const auto outcomes = co_await eddy::when_all_settled(fast(), failing());
    const auto& [first, second] = outcomes;
    std::printf("outcomes: %s; %s\n", first.value().c_str(), text_of(second.error()).c_str());
    // [/snippet]
}

eddy::task<> take_the_first() {
    // [snippet: first]
    const auto first = co_await eddy::race(fast(), eddy::sleep_for(1h));
    std::printf("first: %s\n", std::get<0>(first).c_str());

    const auto success = co_await eddy::race_ok(failing(), slow());
    std::printf("first success: %s\n", std::get<1>(success).c_str());
    // [/snippet]
}

eddy::task<> look_who_ends() {
    // [snippet: any]
    eddy::handle<> waiting = eddy::spawn([]() -> eddy::task<> { co_await eddy::sleep_for(1h); }());
    eddy::handle<std::string> working = eddy::spawn(fast());
    const std::size_t ended = co_await eddy::wait_any(waiting, working);
    if (!waiting.done())
        std::printf("first to end: %zu, and the other still runs\n", ended);
    // [/snippet]
}

eddy::task<> program() {
    co_await wait_for_all();
    co_await take_the_first();
    co_await look_who_ends();
}

int main() {
    eddy::run(program());
}
