#include "support/journal.hpp"
#include "support/small_stack.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/generator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace eddy::generator_test {
namespace {

static_assert(std::ranges::input_range<generator<int>>);
static_assert(std::ranges::input_range<generator<std::unique_ptr<int>>>);
static_assert(std::ranges::input_range<generator<const std::string&>>);
static_assert(std::ranges::view<generator<int>>);
static_assert(!std::copyable<generator<int>>);
static_assert(std::same_as<std::ranges::range_reference_t<generator<int>>, int&&>);
static_assert(std::same_as<std::ranges::range_reference_t<generator<const int&>>, const int&>);
static_assert(std::same_as<std::ranges::range_value_t<generator<const int&>>, int>);

constexpr std::size_t stack_bytes = 256 * 1024;

generator<int> count(int from, int to) {
    for (int at = from; at < to; ++at)
        co_yield at;
}

template <class T>
std::vector<std::ranges::range_value_t<generator<T>>> all_of(generator<T> values) {
    std::vector<std::ranges::range_value_t<generator<T>>> out;
    for (auto&& value : values)
        out.push_back(std::forward<decltype(value)>(value));
    return out;
}

TEST(generator, gives_its_values_in_order) {
    EXPECT_EQ(all_of(count(3, 7)), (std::vector{3, 4, 5, 6}));
}

TEST(generator, may_have_no_values) {
    EXPECT_TRUE(all_of(count(3, 3)).empty());
}

TEST(generator, runs_only_as_far_as_it_is_asked) {
    const auto stepping = [](int& steps) -> generator<int> {
        for (;;)
            co_yield ++steps;
    };
    int steps = 0;
    generator<int> values = stepping(steps);
    EXPECT_EQ(steps, 0);
    auto at = values.begin();
    EXPECT_EQ(steps, 1);
    ++at;
    EXPECT_EQ(*at, 2);
    EXPECT_EQ(steps, 2);
}

TEST(generator, goes_on_where_an_earlier_loop_left_it) {
    generator<int> values = count(0, 4);
    EXPECT_EQ(*values.begin(), 0);
    EXPECT_EQ(*++values.begin(), 1);
    std::vector<int> rest;
    for (int value : values)
        rest.push_back(value);
    EXPECT_EQ(rest, (std::vector{1, 2, 3}));
    EXPECT_TRUE(values.begin() == values.end());
}

TEST(generator, gives_move_only_values_away) {
    const auto owned = []() -> generator<std::unique_ptr<int>> {
        co_yield std::make_unique<int>(1);
        auto named = std::make_unique<int>(2);
        co_yield std::move(named);
        EXPECT_EQ(named, nullptr);
    };
    std::vector<std::unique_ptr<int>> taken = all_of(owned());
    ASSERT_EQ(taken.size(), 2u);
    EXPECT_EQ(*taken[0] + *taken[1], 3);
}

TEST(generator, gives_a_copy_of_what_it_yields_as_an_lvalue) {
    const auto same = [](const std::string& text) -> generator<std::string> {
        co_yield text;
        co_yield text;
    };
    const std::string text = "a text that is too long to be stored in place";
    EXPECT_EQ(all_of(same(text)), (std::vector{text, text}));
}

TEST(generator, of_references_refers_to_what_is_yielded) {
    const auto each = [](std::vector<int>& numbers) -> generator<int&> {
        for (int& number : numbers)
            co_yield number;
    };
    std::vector numbers{1, 2, 3};
    for (int& number : each(numbers))
        number *= 10;
    EXPECT_EQ(numbers, (std::vector{10, 20, 30}));
}

TEST(generator, of_const_references_may_yield_temporaries) {
    const auto words = []() -> generator<const std::string&> {
        const std::string named = "named";
        co_yield named;
        co_yield std::string("a temporary that is too long to be stored in place");
    };
    EXPECT_EQ(all_of(words()),
              (std::vector<std::string>{"named", "a temporary that is too long to be stored in place"}));
}

TEST(generator, is_a_view_for_the_adaptors_of_the_standard_library) {
    const auto even = [](int value) { return value % 2 == 0; };
    int sum = 0;
    for (int value : count(0, 1'000'000'000) | std::views::filter(even) | std::views::take(4))
        sum += value;
    EXPECT_EQ(sum, 0 + 2 + 4 + 6);
}

TEST(generator, moves_between_two_values) {
    generator<int> first = count(0, 3);
    EXPECT_EQ(*first.begin(), 0);
    generator<int> second = std::move(first);
    EXPECT_EQ(*++second.begin(), 1);
    second = count(7, 9);
    EXPECT_EQ(*second.begin(), 7);
}

TEST(generator, that_is_dropped_half_way_destroys_its_locals) {
    const auto noting = [](test::journal& seen) -> generator<int> {
        const test::journal::entry noted(seen, "local");
        co_yield 1;
        seen.note("never");
    };
    test::journal seen;
    {
        generator<int> values = noting(seen);
        EXPECT_EQ(*values.begin(), 1);
        EXPECT_EQ(seen.text(), "");
    }
    EXPECT_EQ(seen.text(), "~local");
}

TEST(generator, that_never_started_leaves_no_frame) {
    const auto before = detail::frame_cache::live_blocks();
    {
        generator<int> never = count(0, 3);
        EXPECT_EQ(detail::frame_cache::live_blocks(), before + 1);
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

generator<int> failing_after(int last) {
    co_yield elements_of(count(0, last + 1));
    throw std::runtime_error("after " + std::to_string(last));
}

TEST(generator, throws_out_of_begin_or_the_increment_and_is_at_its_end_then) {
    const auto at_once = []() -> generator<int> {
        throw std::runtime_error("at once");
        co_yield 1;
    };
    generator<int> early = at_once();
    EXPECT_THROW(static_cast<void>(early.begin()), std::runtime_error);
    EXPECT_TRUE(early.begin() == early.end());

    generator<int> late = failing_after(1);
    auto at = late.begin();
    ++at;
    EXPECT_EQ(*at, 1);
    EXPECT_THROW(++at, std::runtime_error);
    EXPECT_TRUE(at == late.end());
}

struct tree {
    int value;
    std::unique_ptr<tree> left, right;
};

std::unique_ptr<tree> grown(int from, int to) {
    if (from == to)
        return nullptr;
    const int middle = (from + to) / 2;
    return std::make_unique<tree>(middle, grown(from, middle), grown(middle + 1, to));
}

generator<const int&> in_order(const tree* root) {
    if (root == nullptr)
        co_return;
    co_yield elements_of(in_order(root->left.get()));
    co_yield root->value;
    co_yield elements_of(in_order(root->right.get()));
}

TEST(elements_of_a_generator, walk_a_tree) {
    const auto root = grown(0, 1000);
    const std::vector<int> walked = all_of(in_order(root.get()));
    EXPECT_EQ(walked.size(), 1000u);
    EXPECT_TRUE(std::ranges::is_sorted(walked));
}

TEST(elements_of_a_generator, come_between_its_own) {
    const auto around = []() -> generator<int> {
        co_yield -1;
        co_yield elements_of(count(0, 2));
        co_yield elements_of(count(0, 0));
        co_yield elements_of(count(2, 3));
        co_yield -2;
    };
    EXPECT_EQ(all_of(around()), (std::vector{-1, 0, 1, 2, -2}));
}

TEST(elements_of_a_generator, may_be_the_rest_of_one_that_is_kept) {
    const auto around = [](generator<int>& kept) -> generator<int> {
        co_yield elements_of(kept);
        co_yield 9;
    };
    generator<int> kept = count(0, 3);
    EXPECT_EQ(*++kept.begin(), 1);
    EXPECT_EQ(all_of(around(kept)), (std::vector{1, 2, 9}));
}

TEST(elements_of_a_range, are_copied_from_lvalues_converted_and_referred_to) {
    const auto copies = [](const std::vector<std::string>& words) -> generator<std::string> {
        co_yield elements_of(words);
        co_yield elements_of(std::vector<const char*>(1, "converted"));
    };
    const std::vector<std::string> words{"one", "two"};
    EXPECT_EQ(all_of(copies(words)), (std::vector<std::string>{"one", "two", "converted"}));
    EXPECT_EQ(words[1], "two");

    const auto references = [](std::vector<int>& numbers) -> generator<int&> {
        co_yield elements_of(numbers);
    };
    std::vector numbers{1, 2};
    for (int& number : references(numbers))
        number = 7;
    EXPECT_EQ(numbers, (std::vector{7, 7}));
}

TEST(elements_of_a_generator, bring_an_exception_into_the_one_that_yields_them) {
    const auto catching = []() -> generator<int> {
        bool caught = false;
        try {
            co_yield elements_of(failing_after(0));
        } catch (const std::runtime_error& error) {
            caught = std::string(error.what()) == "after 0";
        }
        co_yield caught ? 100 : -100;
        co_yield elements_of(failing_after(5));
    };
    generator<int> values = catching();
    std::vector<int> seen;
    EXPECT_THROW(for (int value : values) seen.push_back(value), std::runtime_error);
    EXPECT_EQ(seen, (std::vector{0, 100, 0, 1, 2, 3, 4, 5}));
}

// Yields `values` times at the bottom of a recursion, and once on the way out of each level.
generator<int> nested(int depth, int values, int& living) {
    struct counted {
        explicit counted(int& counter) noexcept : living(counter) { ++living; }
        counted(const counted&) = delete;
        counted& operator=(const counted&) = delete;
        ~counted() { --living; }
        int& living;
    } const here(living);
    if (depth > 0)
        co_yield elements_of(nested(depth - 1, values, living));
    else
        for (int at = 0; at < values; ++at)
            co_yield at;
    co_yield -depth;
}

constexpr int deep = 100'000;

TEST(nested_generators, end_one_after_the_other_on_a_small_stack) {
    test::on_small_stack(stack_bytes, [] {
        int living = 0;
        int seen = 0;
        for (int value : nested(deep, 10, living)) {
            static_cast<void>(value);
            ++seen;
        }
        EXPECT_EQ(seen, 10 + deep + 1);
        EXPECT_EQ(living, 0);
    });
}

TEST(nested_generators, are_dropped_half_way_on_a_small_stack) {
    test::on_small_stack(stack_bytes, [] {
        int living = 0;
        {
            generator<int> values = nested(deep, 10, living);
            EXPECT_EQ(*++values.begin(), 1);
            EXPECT_EQ(living, deep + 1);
        }
        EXPECT_EQ(living, 0);
    });
}

TEST(nested_generators, are_dropped_from_the_innermost_outwards) {
    struct noting {
        static generator<int> levels(int depth, test::journal& seen) {
            const test::journal::entry noted(seen, std::to_string(depth));
            if (depth > 0)
                co_yield elements_of(levels(depth - 1, seen));
            co_yield depth;
        }
    };
    test::journal seen;
    {
        generator<int> values = noting::levels(2, seen);
        EXPECT_EQ(*++values.begin(), 1);
        EXPECT_EQ(seen.text(), "~0");
    }
    EXPECT_EQ(seen.text(), "~0 ~1 ~2");
}

TEST(nested_generators, that_end_at_once_do_not_grow_the_stack) {
    test::on_small_stack(stack_bytes, [] {
        const auto empties = []() -> generator<int> {
            for (int at = 0; at < 1'000'000; ++at)
                co_yield elements_of(count(0, 0));
            co_yield 1;
        };
        EXPECT_EQ(all_of(empties()), std::vector{1});
    });
}

generator<int> thrown_from(int depth) {
    if (depth == 0)
        throw std::runtime_error("bottom");
    co_yield elements_of(thrown_from(depth - 1));
}

TEST(nested_generators, let_an_exception_rise_from_the_bottom) {
    generator<int> values = thrown_from(1000);
    EXPECT_THROW(static_cast<void>(values.begin()), std::runtime_error);
}

}  // namespace
}  // namespace eddy::generator_test
