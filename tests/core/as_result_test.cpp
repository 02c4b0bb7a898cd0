#include "support/manual_loop.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <expected>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {
namespace {

/// An operation that waits one turn and ends as it was told.
class scripted {
public:
    explicit scripted(std::expected<int, std::errc> outcome) : outcome_(outcome) {}
    scripted(scripted&&) noexcept = default;
    scripted& operator=(scripted&&) = delete;

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        auto& loop = detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    std::unique_ptr<int> await_resume() {
        if (!outcome_)
            throw std::system_error(std::make_error_code(outcome_.error()));
        return std::make_unique<int>(*outcome_);
    }
    std::expected<std::unique_ptr<int>, std::error_code> outcome() {
        if (!outcome_)
            return std::unexpected(std::make_error_code(outcome_.error()));
        return std::make_unique<int>(*outcome_);
    }

private:
    std::expected<int, std::errc> outcome_;
};

TEST(as_result, gives_a_value) {
    test::manual_loop loop;
    const auto work = []() -> task<int> {
        auto result = co_await as_result(scripted(3));
        co_return result ? **result : -1;
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_EQ(running.get(), 3);
}

TEST(as_result, gives_an_error_where_the_operation_throws) {
    test::manual_loop loop;
    const auto quiet = []() -> task<std::error_code> {
        auto result = co_await as_result(scripted(std::unexpected(std::errc::broken_pipe)));
        co_return result ? std::error_code() : result.error();
    };
    const auto loud = []() -> task<> { co_await scripted(std::unexpected(std::errc::broken_pipe)); };
    auto first = spawn(quiet());
    auto second = spawn(loud());
    loop.run();
    EXPECT_EQ(first.get(), std::errc::broken_pipe);
    EXPECT_THROW(second.get(), std::system_error);
}

TEST(as_result, takes_operations_that_report_their_outcome_only) {
    EXPECT_TRUE(reports_outcome<scripted>);
    EXPECT_FALSE(reports_outcome<std::suspend_always>);
}

}  // namespace
}  // namespace eddy
