// One computation on all threads of the offload pool, which leaves the worker free for its other tasks.
//
//     build/release/examples/parallel
//
// It prints:
//
//     78498 primes below 1000000
//     the squares end with 998001
//     too large: 5000

#include <eddy/eddy.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

bool is_prime(std::size_t number) {
    for (std::size_t factor = 2; factor * factor <= number; ++factor)
        if (number % factor == 0)
            return false;
    return number >= 2;
}

eddy::task<> count_primes() {
    constexpr std::size_t bound = 1000000;
    // [snippet: parallel]
    // Shared, since chunks that have begun outlive a dropped await: what they use is theirs.
    auto primes = std::make_shared<std::atomic<std::size_t>>(0);
    auto count = [primes](std::size_t first, std::size_t end) {
        std::size_t found = 0;
        for (std::size_t number = first; number != end; ++number)
            found += is_prime(number) ? 1 : 0;
        *primes += found;
    };
    co_await eddy::parallel_for(bound, 10000, std::move(count));
    // [/snippet]
    std::printf("%zu primes below %zu\n", primes->load(), bound);
}

eddy::task<> square_numbers() {
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    // [snippet: parallel-range]
    // The loop owns the numbers and returns them back.
    numbers = co_await eddy::parallel_for(std::move(numbers), 100, [](int& number) { number *= number; });
    // [/snippet]
    std::printf("the squares end with %d\n", numbers.back());
}

void check(std::size_t number) {
    if (number == 5000)
        throw std::out_of_range("too large: " + std::to_string(number));
}

eddy::task<> find_what_is_wrong() {
    try {
        co_await eddy::parallel_for(eddy::work_kind::long_running, 10000, 0, &check);
    } catch (const std::out_of_range& error) {
        std::puts(error.what());
    }
}

eddy::task<> program() {
    co_await count_primes();
    co_await square_numbers();
    co_await find_what_is_wrong();
}

int main() {
    eddy::run(program());
}
