// An alarm that is put off by each sign of life, and goes off once there are none any more.
//
//     build/release/examples/watchdog
//
// It prints:
//
//     sign of life 1
//     sign of life 2
//     sign of life 3
//     nothing was heard for a while

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>

using namespace std::chrono_literals;

// [snippet: watchdog]
eddy::task<> watch(eddy::timer& silence) {
    const bool has_expired = co_await silence.wait();  // false: silence.cancel() was called
    if (has_expired)
        std::puts("nothing was heard for a while");
}

void hear(eddy::timer& silence, int number) {
    std::printf("sign of life %d\n", number);
    silence.expires_after(200ms);  // the task that waits keeps waiting
}
// [/snippet]

eddy::task<> program() {
    eddy::timer silence;
    silence.expires_after(10s);
    auto watching = eddy::spawn(watch(silence));
    for (int number = 1; number <= 3; ++number) {
        co_await eddy::sleep_for(10ms);
        hear(silence, number);
    }
    co_await watching;
}

int main() {
    eddy::run(program());
}
