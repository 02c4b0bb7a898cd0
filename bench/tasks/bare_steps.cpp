#include "micro/bare_task.hpp"
#include "tasks/steps.hpp"

namespace bench::bare_steps {
namespace {

template <class T>
using task = bare::task<T>;
using bare_tasks = steps<task, [] { return bare::yield(); }>;

sample run(task<sample> measured) {
    sample result;
    bare::run([](task<sample> inner, sample& out) -> bare::task<void> { out = co_await inner; }(
                                                      std::move(measured), result));
    return result;
}

}  // namespace

sample await_ready(const step_work& work) {
    return run(bare_tasks::call_until(work.seconds, &bare_tasks::one));
}
sample await_yield(const step_work& work) {
    return run(bare_tasks::yield_until(work.seconds));
}
sample await_yield_below(const step_work& work) {
    return run(bare_tasks::call_until(work.seconds, &bare_tasks::one_after_yield));
}
sample await_yield_two_below(const step_work& work) {
    return run(bare_tasks::call_until(work.seconds, &bare_tasks::one_from_below));
}

}  // namespace bench::bare_steps
