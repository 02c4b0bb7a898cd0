#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <expected>
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy::outcome_awaiter_test {
namespace {

/// Has its outcome at once.
template <class T>
class decided : public detail::outcome_awaiter<decided<T>> {
public:
    explicit decided(std::expected<T, std::error_code> outcome) : outcome_(std::move(outcome)) {}
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) noexcept {}
    std::expected<T, std::error_code> outcome() noexcept { return std::move(outcome_); }
    [[nodiscard]] static const char* what() noexcept { return "deciding"; }

private:
    std::expected<T, std::error_code> outcome_;
};

const std::error_code refused = std::make_error_code(std::errc::connection_refused);

TEST(outcome_awaiter, returns_the_value_of_the_outcome) {
    static_assert(std::is_same_v<decltype(std::declval<decided<int>&>().await_resume()), int>);
    static_assert(std::is_void_v<decltype(std::declval<decided<void>&>().await_resume())>);
    decided<std::unique_ptr<int>> moved(std::make_unique<int>(7));
    EXPECT_EQ(*moved.await_resume(), 7);
    decided<void> done{std::expected<void, std::error_code>()};
    EXPECT_NO_THROW(done.await_resume());
}

TEST(outcome_awaiter, throws_the_error_with_the_name_of_the_operation) {
    decided<void> failed{std::unexpected(refused)};
    try {
        failed.await_resume();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), refused);
        EXPECT_EQ(std::string(error.what()).substr(0, 10), "deciding: ");
    }
}

TEST(outcome_awaiter, passes_its_outcome_to_as_result_without_a_throw) {
    static_assert(reports_outcome<decided<int>>);
    auto awaited = as_result(decided<int>(std::unexpected(refused)));
    EXPECT_EQ(awaited.await_resume().error(), refused);
}

}  // namespace
}  // namespace eddy::outcome_awaiter_test
