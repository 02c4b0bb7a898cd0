#include <eddy/core/unique_function.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace eddy::unique_function_test {
namespace {

int twice(int value) {
    return 2 * value;
}

TEST(a_unique_function, calls_what_it_owns) {
    unique_function<int(int)> function = [owned = std::make_unique<int>(40)](int more) {
        return *owned + more;
    };
    ASSERT_TRUE(function);
    EXPECT_EQ(function(2), 42);
    function = &twice;
    EXPECT_EQ(function(21), 42);
}

TEST(a_unique_function, keeps_the_state_of_its_callable) {
    unique_function<int()> count = [calls = 0]() mutable { return ++calls; };
    count();
    EXPECT_EQ(count(), 2);
}

TEST(a_unique_function, passes_references_and_moves) {
    unique_function<void(std::string&, std::unique_ptr<int>)> function =
        [](std::string& text, std::unique_ptr<int> number) { text = std::to_string(*number); };
    std::string text;
    function(text, std::make_unique<int>(7));
    EXPECT_EQ(text, "7");
}

TEST(a_unique_function, is_empty_once_it_was_moved_from) {
    auto alive = std::make_shared<int>(1);
    unique_function<void()> first = [alive] {};
    unique_function<void()> second = std::move(first);
    EXPECT_FALSE(first);
    EXPECT_TRUE(second);
    second = nullptr;
    EXPECT_EQ(alive.use_count(), 1);
}

TEST(an_empty_unique_function, throws_when_it_is_called) {
    int (*const none)(int) = nullptr;
    unique_function<int(int)> function = none;
    EXPECT_FALSE(function);
    EXPECT_THROW(function(1), std::bad_function_call);
}

}  // namespace
}  // namespace eddy::unique_function_test
