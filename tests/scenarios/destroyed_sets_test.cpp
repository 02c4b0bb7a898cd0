// Sets that are destroyed in the middle of their own work.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace eddy::test::destroyed_sets_test {
namespace {

task<> destroys_after_yield(std::unique_ptr<task_set>& set) {
    const tracked local;
    co_await yield();
    set.reset();
    co_await yield();
    std::terminate();
}

task<> a_set_destroyed_from_inside() {
    error_keeper keeper;
    auto set = std::make_unique<task_set>(std::ref(keeper));
    set->spawn(waits_for_long());
    set->spawn(destroys_after_yield(set));
    set->spawn(waits_for_long());
    co_await set->join();
    co_await yields(2);
    require(!set, "the set is still there");
    require(tracked::living() == 0, "a task of a destroyed set lives on");
}

/// Destroys the set that calls it.
class destroying_handler {
public:
    destroying_handler(std::unique_ptr<task_set>& set, error_keeper& keeper) noexcept
        : set_(set), keeper_(keeper) {}
    void operator()(const std::exception_ptr& error) const {
        keeper_(error);
        set_.reset();
    }

private:
    std::unique_ptr<task_set>& set_;
    error_keeper& keeper_;
};

task<> a_set_destroyed_by_its_handler() {
    error_keeper keeper;
    std::unique_ptr<task_set> set;
    set = std::make_unique<task_set>(destroying_handler(set, keeper));
    set->spawn(waits_for_long());
    set->spawn(fails_after_yields(2));
    set->spawn(waits_for_long());
    co_await set->join();
    co_await yield();
    keeper.rethrow();
    require(!set, "the set is still there");
    require(tracked::living() == 0, "a task of a destroyed set lives on");
}

/// A set that its own tasks may destroy, while its owner does so, too.
class set_holder {
public:
    set_holder() : set_(std::make_unique<task_set>()) {}
    set_holder(const set_holder&) = delete;
    set_holder& operator=(const set_holder&) = delete;
    ~set_holder() { destroy(); }

    [[nodiscard]] task_set* operator->() const noexcept { return set_.get(); }
    [[nodiscard]] bool is_empty() const noexcept { return set_ == nullptr; }
    void destroy() noexcept { set_.reset(); }  // which is empty before the set is destroyed

private:
    std::unique_ptr<task_set> set_;
};

/// Destroys the set that its task is in.
class destroys_with_itself {
public:
    explicit destroys_with_itself(set_holder& holder) noexcept : holder_(&holder) {}
    destroys_with_itself(destroys_with_itself&& other) noexcept
        : holder_(std::exchange(other.holder_, nullptr)) {}
    destroys_with_itself& operator=(destroys_with_itself&&) = delete;
    ~destroys_with_itself() {
        if (holder_ != nullptr)
            holder_->destroy();
    }

private:
    set_holder* holder_;
};

task<> yields_with(destroys_with_itself) {
    co_await yield();  // no task, for which memory could be out: the set has no handler
}

task<> a_set_destroyed_by_a_destructor() {
    set_holder set;
    set->spawn(waits_for_long());
    auto destroying = yields_with(destroys_with_itself(set));
    set->spawn(std::move(destroying));
    set->spawn(waits_for_long());
    co_await set->join();
    co_await yield();
    require(set.is_empty() && tracked::living() == 0, "a task of a destroyed set lives on");
}

const scenario_suite listed({
    listed_scenario("a_set_destroyed_from_inside", &a_set_destroyed_from_inside).suspensions_min(6),
    listed_scenario("a_set_destroyed_by_its_handler", &a_set_destroyed_by_its_handler).suspensions_min(5),
    listed_scenario("a_set_destroyed_by_a_destructor", &a_set_destroyed_by_a_destructor).suspensions_min(4),
});

}  // namespace
}  // namespace eddy::test::destroyed_sets_test
