// Where a drop is too blunt: requesting a stop, and steps that must not be left half done.
//
//     build/release/examples/stop
//
// It prints:
//
//     the sum stopped with what it had
//     the old name is gone
//     the new name is there
//     dropped, and nothing is half done

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <system_error>

using namespace std::chrono_literals;

// [snippet: stop]
eddy::task<std::uint64_t> add_up_for_ever() {
    std::uint64_t sum = 0;
    for (std::uint64_t number = 1; !co_await eddy::check_stop(); ++number)
        sum += number;
    co_return sum;
}

eddy::task<> add_up_for_a_while() {
    eddy::stop_scope scope;
    eddy::handle<std::uint64_t> adding = eddy::spawn(scope.run(add_up_for_ever()));
    co_await eddy::as_result(
        eddy::with_timeout(adding, 10ms));  // of a handle the wait is dropped, not the task
    scope.request_stop();
    if (const std::uint64_t sum = co_await adding; sum > 0)
        std::puts("the sum stopped with what it had");
}
// [/snippet]

// [snippet: shield]
eddy::task<> replace_name() {
    std::puts("the old name is gone");
    co_await eddy::sleep_for(1ms);
    std::puts("the new name is there");
}

eddy::task<> update() {
    co_await eddy::shield(replace_name());
}
// [/snippet]

eddy::task<> drop_in_the_middle() {
    eddy::handle<> updating = eddy::spawn(update());
    co_await eddy::yield();  // it enters the shield
    co_await eddy::yield();  // the work begins
    updating.cancel();       // waits for the rest
    std::puts("dropped, and nothing is half done");
}

eddy::task<> program() {
    co_await add_up_for_a_while();
    co_await drop_in_the_middle();
}

int main() {
    eddy::run(program());
}
