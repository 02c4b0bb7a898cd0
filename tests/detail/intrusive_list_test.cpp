#include "support/seed.hpp"

#include <eddy/detail/intrusive_list.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace eddy::detail::intrusive_list_test {
namespace {

struct first_tag;
struct second_tag;

struct item : list_hook<first_tag>, list_hook<second_tag> {
    explicit item(int number) : value(number) {}
    int value;
};

using list = intrusive_list<item, first_tag>;
using other_list = intrusive_list<item, second_tag>;

std::vector<int> values(list& seen) {
    std::vector<int> found;
    seen.for_each([&](item& at) { found.push_back(at.value); });
    return found;
}

TEST(intrusive_list, is_empty_at_first) {
    list empty;
    EXPECT_TRUE(empty.empty());
    EXPECT_EQ(values(empty), std::vector<int>());
}

TEST(intrusive_list, gives_elements_in_order) {
    item one(1), two(2), three(3);
    list held;
    held.push_back(two);
    held.push_back(three);
    held.push_front(one);
    EXPECT_EQ(values(held), (std::vector{1, 2, 3}));
    EXPECT_EQ(held.front().value, 1);
    EXPECT_EQ(held.pop_front().value, 1);
    EXPECT_EQ(held.pop_front().value, 2);
    EXPECT_EQ(held.pop_front().value, 3);
    EXPECT_TRUE(held.empty());
    EXPECT_FALSE(one.list_hook<first_tag>::is_linked());
}

TEST(intrusive_list, unlinks_from_the_middle_and_both_ends) {
    item one(1), two(2), three(3);
    list held;
    for (item* at : {&one, &two, &three})
        held.push_back(*at);
    two.list_hook<first_tag>::unlink();
    EXPECT_EQ(values(held), (std::vector{1, 3}));
    two.list_hook<first_tag>::unlink();
    one.list_hook<first_tag>::unlink();
    three.list_hook<first_tag>::unlink();
    EXPECT_TRUE(held.empty());
}

TEST(intrusive_list, is_left_by_an_element_that_is_destroyed) {
    item one(1);
    list held;
    held.push_back(one);
    {
        item two(2);
        held.push_back(two);
    }
    EXPECT_EQ(values(held), std::vector{1});
}

TEST(intrusive_list, leaves_its_elements_when_it_is_destroyed) {
    item one(1);
    {
        list held;
        held.push_back(one);
    }
    EXPECT_FALSE(one.list_hook<first_tag>::is_linked());
}

TEST(intrusive_list, of_one_tag_does_not_disturb_that_of_another) {
    item one(1);
    list held;
    other_list also_held;
    held.push_back(one);
    also_held.push_back(one);
    held.pop_front();
    EXPECT_FALSE(also_held.empty());
    EXPECT_EQ(&also_held.front(), &one);
}

TEST(intrusive_list, takes_over_the_elements_of_another) {
    item one(1), two(2), three(3), four(4);
    list left, right, nothing;
    left.push_back(one);
    left.push_back(two);
    right.push_back(three);
    right.push_back(four);
    left.splice_back(right);
    EXPECT_TRUE(right.empty());
    EXPECT_EQ(values(left), (std::vector{1, 2, 3, 4}));
    left.splice_back(nothing);
    right.splice_back(left);
    EXPECT_TRUE(left.empty());
    EXPECT_EQ(values(right), (std::vector{1, 2, 3, 4}));
    right.push_back(one.list_hook<first_tag>::is_linked() ? right.pop_front() : one);
    EXPECT_EQ(values(right), (std::vector{2, 3, 4, 1}));
}

TEST(intrusive_list, behaves_as_a_deque_does) {
    auto generator = test::seeded_generator();
    std::vector<std::unique_ptr<item>> items;
    for (int at = 0; at < 50; ++at)
        items.push_back(std::make_unique<item>(at));
    list held;
    std::deque<int> model;
    for (int step = 0; step < 20'000; ++step) {
        item& chosen = *items[test::between<std::size_t>(generator, 0, items.size() - 1)];
        const bool is_linked = chosen.list_hook<first_tag>::is_linked();
        switch (test::between(generator, 0, 3)) {
            case 0:
                if (!is_linked) {
                    held.push_back(chosen);
                    model.push_back(chosen.value);
                }
                break;
            case 1:
                if (!is_linked) {
                    held.push_front(chosen);
                    model.push_front(chosen.value);
                }
                break;
            case 2:
                chosen.list_hook<first_tag>::unlink();
                std::erase(model, chosen.value);
                break;
            default:
                if (!held.empty()) {
                    ASSERT_EQ(held.pop_front().value, model.front());
                    model.pop_front();
                }
        }
        ASSERT_EQ(held.empty(), model.empty());
    }
    EXPECT_EQ(values(held), std::vector<int>(model.begin(), model.end()));
}

#ifndef NDEBUG
TEST(intrusive_list_death_test, refuses_an_element_that_is_linked_already) {
    item one(1);
    list held;
    held.push_back(one);
    EXPECT_DEATH(held.push_back(one), "one list at a time");
}
#endif

}  // namespace
}  // namespace eddy::detail::intrusive_list_test
