// Must not compile: a task has one owner.
#include <eddy/core/task.hpp>

eddy::task<int> twice(const eddy::task<int>& first) {
    auto second = first;
    co_return co_await std::move(second);
}
