#include "explore/search.hpp"

#include "explore/explorer.hpp"
#include "support/seed.hpp"

#include <eddy/detail/atomic.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

// What the reduction leaves out is none of the outcomes: random programs end the same with and without it.

namespace eddy::explore::search_test {
namespace {

constexpr std::size_t variables = 3;

struct instruction {
    enum kind { load, store, add, exchange, swap_if_zero, await_either, kinds };
    kind what = load;
    std::size_t variable = 0;
    std::size_t other = 0;
    int value = 0;
};
using program = std::vector<std::vector<instruction>>;

class random_model final : public model {
public:
    explicit random_model(program given) : program_(std::move(given)) {}

    unsigned threads() const noexcept override { return static_cast<unsigned>(program_.size()); }
    void make_state() override {
        variables_.emplace();
        for (auto& each : seen_)
            each.clear();
    }
    void run(unsigned thread) override {
        for (const instruction& each : program_[thread])
            seen_[thread] += static_cast<char>('0' + execute(each));
    }
    void finish() override {
        std::string outcome;
        for (const auto& each : seen_)
            outcome += each + "|";
        for (auto& each : *variables_)
            outcome += static_cast<char>('0' + each.load());
        outcomes.insert(outcome);
    }
    void destroy_state() override { variables_.reset(); }

    std::set<std::string> outcomes;

private:
    int execute(const instruction& given) {
        auto& variable = (*variables_)[given.variable];
        switch (given.what) {
            case instruction::load:
                return variable.load();
            case instruction::store:
                variable.store(given.value);
                return 0;
            case instruction::add:
                return variable.fetch_add(given.value);
            case instruction::exchange:
                return variable.exchange(given.value);
            case instruction::swap_if_zero: {
                int expected = 0;
                return variable.compare_exchange_strong(expected, given.value) ? 0 : expected;
            }
            default:
                return await_either(variable, (*variables_)[given.other]);
        }
    }
    static int await_either(detail::atomic<int>& one, detail::atomic<int>& other) {
        for (unsigned looks = 0;; ++looks) {
            if (one.load() != 0)
                return 1;
            if (other.load() != 0)
                return 2;
            detail::relax(looks);
        }
    }

    program program_;
    std::optional<std::array<detail::atomic<int>, variables>> variables_;
    std::array<std::string, threads_max> seen_;
};

program random_program(auto& generator, std::size_t length) {
    const auto below = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
    };
    program made(3);
    for (auto& thread : made)
        for (std::size_t at = 0; at < length; ++at)
            thread.push_back({static_cast<instruction::kind>(below(instruction::kinds)), below(variables),
                              below(variables), static_cast<int>(below(2))});
    return made;
}

TEST(search, leaves_out_no_outcome_of_random_programs) {
    auto generator = test::seeded_generator();
    std::uint64_t reduced_schedules = 0;
    std::uint64_t all_schedules = 0;
    for (int round = 0; round < 60; ++round) {
        const program given = random_program(generator, 2 + static_cast<std::size_t>(round % 8 == 0));
        // A failed run leaves its threads in the middle; their model stays.
        random_model reduced(given), unreduced(given);
        const result some = explore_model(settings("random, reduced"), reduced);
        const result all = explore_model(settings("random, unreduced").unreduced(), unreduced);
        ASSERT_EQ(some.has_passed, all.has_passed) << "round " << round << "\n" << some.report << all.report;
        if (!all.has_passed)
            continue;
        EXPECT_EQ(reduced.outcomes, unreduced.outcomes) << "round " << round;
        EXPECT_LE(some.schedules, all.schedules);
        reduced_schedules += some.schedules;
        all_schedules += all.schedules;
    }
    EXPECT_LT(reduced_schedules * 2, all_schedules) << "the reduction reduces";
}

}  // namespace
}  // namespace eddy::explore::search_test
