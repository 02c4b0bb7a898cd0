// How tasks of one worker share it: by waiting, by yielding, or by computing elsewhere.
//
//     build/release/examples/fair_share
//
// It prints:
//
//     between two awaits: nothing else ran
//     with yield(): others ran
//     on the offload pool: others ran

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>

using namespace std::chrono_literals;

// [snippet: compute]
std::uint64_t add_squares(std::uint64_t first, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t number = first; number != end; ++number)
        sum += number * number;
    return sum;
}

// Holds its worker to the end: there is nothing to wait for.
eddy::task<std::uint64_t> selfish(std::uint64_t end) {
    co_return add_squares(0, end);
}

// Lets others go first every 10,000 numbers, some microseconds' worth.
eddy::task<std::uint64_t> polite(std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t first = 0; first < end; first += 10'000) {
        sum += add_squares(first, first + 10'000);
        co_await eddy::yield();
    }
    co_return sum;
}

// Does not use this worker at all.
eddy::task<std::uint64_t> elsewhere(std::uint64_t end) {
    co_return co_await eddy::offload(add_squares, std::uint64_t{0}, end);
}
// [/snippet]

eddy::task<> count_turns(int& turns) {
    while (true) {
        ++turns;
        co_await eddy::yield();
    }
}

// Whether another task has run while this one did.
eddy::task<bool> lets_others_run(eddy::task<std::uint64_t> work) {
    int turns = 0;
    const eddy::handle<> counting = eddy::spawn(count_turns(turns));
    co_await std::move(work);
    co_return turns > 0;
}

void tell(const char* how, bool others_ran) {
    std::printf("%s: %s ran\n", how, others_ran ? "others" : "nothing else");
}

eddy::task<> program() {
    constexpr std::uint64_t end = 100'000;
    tell("between two awaits", co_await lets_others_run(selfish(end)));
    tell("with yield()", co_await lets_others_run(polite(end)));
    tell("on the offload pool", co_await lets_others_run(elsewhere(end)));
}

int main() {
    eddy::run(program());
}
