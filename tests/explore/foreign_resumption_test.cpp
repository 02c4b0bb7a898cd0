#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <coroutine>

// An awaitable of another library resumes a task from a thread of its own, while the task is dropped.

namespace eddy::explore::foreign_resumption_test {
namespace {

struct foreign_event {
    model_worker home;
    detail::atomic<void*> waiting{nullptr};
    detail::atomic<bool> is_over{
        false};  // the other thread has resumed the task that it took, or will resume none
    bool has_gone_on = false;
};

// Its destructor waits until the other thread is done with it, as such an awaiter has to.
class foreign_awaiter {
public:
    explicit foreign_awaiter(foreign_event& awaited) noexcept : event_(awaited) {}
    foreign_awaiter(const foreign_awaiter&) = delete;
    foreign_awaiter& operator=(const foreign_awaiter&) = delete;
    ~foreign_awaiter() {
        if (!is_suspended_ || event_.waiting.exchange(nullptr) != nullptr)
            return;
        for (unsigned looks = 0; !event_.is_over.load(); ++looks)
            detail::relax(looks);
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) noexcept {
        is_suspended_ = true;
        event_.waiting.store(point.address());
    }
    void await_resume() const noexcept {}

private:
    foreign_event& event_;
    bool is_suspended_ = false;
};

task<> wait_for(foreign_event& shared) {
    foreign_awaiter waiting(shared);
    co_await waiting;
    shared.has_gone_on = true;
}

bool resume_who_waits(foreign_event& shared) {
    void* const point = shared.waiting.exchange(nullptr);
    if (point == nullptr)
        return false;
    std::coroutine_handle<>::from_address(point).resume();
    shared.is_over.store(true);
    return true;
}

TEST(foreign_resumption, goes_on_at_home) {
    const auto home = [](foreign_event& shared) { shared.home.run(wait_for(shared)); };
    const auto other = [](foreign_event& shared) {
        for (unsigned looks = 0; !resume_who_waits(shared); ++looks)
            detail::relax(looks);
    };
    const result found =
        explore<foreign_event>(settings("foreign resumption"), {home, other},
                               [](foreign_event& shared) { EXPLORE_CHECK(shared.has_gone_on); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

task<> drop_one(foreign_event& shared) {
    handle<> dropped = spawn(wait_for(shared));
    co_await yield();
    dropped.cancel();
}

TEST(foreign_resumption, comes_to_nothing_if_the_task_is_dropped) {
    const auto home = [](foreign_event& shared) { shared.home.run(drop_one(shared)); };
    const auto other = [](foreign_event& shared) { resume_who_waits(shared); };
    const result found = explore<foreign_event>(settings("foreign resumption, dropped"), {home, other},
                                                [](foreign_event& shared) { shared.home.discard_inbox(); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::foreign_resumption_test
