#include "contest/choice.hpp"

#include "driver/errors.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using bench::contender;
using bench::contest;
using bench::suite;
using names = std::vector<std::string>;

contest made_of(const std::string& name, const names& contenders) {
    contest made;
    made.name = name;
    for (const std::string& one : contenders)
        made.contenders.push_back(contender{one, {}});
    return made;
}

suite two_contests() {
    suite all;
    all.bases = {"base"};
    all.contests = {made_of("post/1", {"base", "quick"}), made_of("channel", {"base", "slow", "slower"})};
    return all;
}

names contender_names(const contest& one) {
    names result;
    for (const contender& c : one.contenders)
        result.push_back(c.name);
    return result;
}

TEST(choice, without_names_everything_is_chosen) {
    const auto chosen = bench::chosen_contests(two_contests(), {}, {});
    ASSERT_EQ(chosen.size(), 2u);
    EXPECT_EQ(contender_names(chosen[1]), (names{"base", "slow", "slower"}));
}

TEST(choice, a_whole_name_chooses_what_has_just_that_name) {
    EXPECT_EQ(bench::chosen_contests(two_contests(), {"channel"}, {}, bench::name_match::whole).size(), 1u);
    EXPECT_THROW(bench::chosen_contests(two_contests(), {"chan"}, {}, bench::name_match::whole),
                 bench::usage_error);
}

TEST(choice, a_part_of_a_name_chooses_contests) {
    const auto chosen = bench::chosen_contests(two_contests(), {"chan"}, {});
    ASSERT_EQ(chosen.size(), 1u);
    EXPECT_EQ(chosen[0].name, "channel");
}

TEST(choice, the_base_stays_beside_the_contenders_that_were_chosen) {
    const auto chosen = bench::chosen_contests(two_contests(), {}, {"slower"});
    ASSERT_EQ(chosen.size(), 1u);
    EXPECT_EQ(contender_names(chosen[0]), (names{"base", "slower"}));
}

TEST(choice, an_unknown_name_is_an_error_of_usage) {
    EXPECT_THROW(bench::chosen_contests(two_contests(), {"nothing"}, {}), bench::usage_error);
    EXPECT_THROW(bench::chosen_contests(two_contests(), {}, {"nobody"}), bench::usage_error);
}

}  // namespace
