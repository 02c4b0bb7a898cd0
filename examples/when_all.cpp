// A task that waits for tasks of its own, all at the same time, and for any number of them.
//
//     build/release/examples/when_all
//
// It prints:
//
//     ready to wait for all
//     part 1 runs
//     part 2 runs
//     part 3 runs
//     all parts have ended
//     0 + 1 + 4 + 9 = 14

#include <eddy/eddy.hpp>

#include <chrono>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
eddy::task<> part(int number) {
    std::printf("part %d runs\n", number);
    co_await eddy::sleep_for(5ms);
}

eddy::task<> whole() {
    std::puts("ready to wait for all");
    co_await eddy::when_all(part(1), part(2), part(3));
    std::puts("all parts have ended");
}
eddy::task<int> square(int number) {
    co_await eddy::sleep_for(1ms);
    co_return number* number;
}

eddy::task<> sum_of_squares() {
    std::vector<eddy::task<int>> squares;
    for (int number = 0; number < 4; ++number)
        squares.push_back(square(number));
    const std::vector<int> values = co_await eddy::when_all(std::move(squares));
    const int sum = std::accumulate(values.begin(), values.end(), 0);
    std::printf("%d + %d + %d + %d = %d\n", values[0], values[1], values[2], values[3], sum);
}

eddy::task<> program() {
    co_await whole();
    co_await sum_of_squares();
}

int main() {
    eddy::run(program());
}
