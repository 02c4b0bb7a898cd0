#include "support/manual_loop.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/async_sequence.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <optional>
#include <string>

namespace eddy::async_sequence_test {
namespace {

/// A sequence that is no generator: its next() is a task.
class countdown {
public:
    explicit countdown(int from) noexcept : left_(from) {}
    task<std::optional<int>> next() {
        if (left_ == 0)
            co_return std::nullopt;
        co_return left_--;
    }

private:
    int left_;
};

struct gives_no_optional {
    task<int> next();
};
struct gives_it_at_once {
    std::optional<int> next();
};

static_assert(async_sequence<countdown>);
static_assert(async_sequence<async_generator<std::string>>);
static_assert(!async_sequence<gives_no_optional>);
static_assert(!async_sequence<gives_it_at_once>);
static_assert(!async_sequence<int>);
static_assert(std::same_as<async_element_t<countdown>, int>);
static_assert(std::same_as<async_element_t<async_generator<const int>>, int>);
static_assert(std::same_as<async_element_t<async_generator<const int&>>, std::reference_wrapper<const int>>);

template <async_sequence Sequence>
task<int> sum_of(Sequence& sequence) {
    int sum = 0;
    while (auto value = co_await sequence.next())
        sum += *value;
    co_return sum;
}

async_generator<int> one_and_two() {
    co_yield 1;
    co_yield 2;
}

TEST(async_sequence, is_read_by_one_function_whatever_it_is) {
    test::manual_loop loop;
    countdown numbers(4);
    async_generator<int> others = one_and_two();
    auto first = spawn(sum_of(numbers));
    auto second = spawn(sum_of(others));
    loop.run();
    EXPECT_EQ(first.get(), 10);
    EXPECT_EQ(second.get(), 3);
}

}  // namespace
}  // namespace eddy::async_sequence_test
