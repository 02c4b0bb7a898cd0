#pragma once

#include "contest/sample.hpp"
#include "tasks/works.hpp"

// With the least that a task can be.
namespace bench::bare_steps {

sample await_ready(const step_work& work);
sample await_yield(const step_work& work);
sample await_yield_below(const step_work& work);
sample await_yield_two_below(const step_work& work);

}  // namespace bench::bare_steps
