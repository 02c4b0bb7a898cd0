#pragma once

// With what users of the library, and its own suite, prove their code. Works with any test framework: each
// tool gives a report, which is true if nothing was found and can say in words what was.
//
// A scenario is a callable that gives a task<>, the smaller the better: an exchange, a time-out, a shut-down.
//
//   auto echo() -> eddy::task<> { ... }
//
//   drop_everywhere(echo)                 drops it at every suspension: does it let go of everything?
//   fail_allocation_everywhere(echo)      lets every allocation fail in turn: does it fail cleanly?
//   shuffle_everywhere(echo, 100)         resumes tasks in random order: does it depend on luck?
//
// Each compares a census, of frames, timers, operations, buffers, descriptors and more, before and after
// every run. A census can be taken by itself as well. Two switches work for whole programs: EDDY_BACKEND
// chooses the backend, EDDY_SHUFFLE=seed shuffles every runtime. shift_clocks.hpp sets a worker's clocks.
//
// <eddy/testing/replace_new.hpp> is not among these headers: it belongs into one source of a program.

#include <eddy/testing/census.hpp>
#include <eddy/testing/drop_everywhere.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/report.hpp>
#include <eddy/testing/scenario.hpp>
#include <eddy/testing/shift_clocks.hpp>
#include <eddy/testing/shuffle.hpp>
