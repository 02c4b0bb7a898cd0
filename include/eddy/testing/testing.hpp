#pragma once

// Tools by which users of the library, and its own suite, prove their code. They work with any test
// framework: each returns a report, which is true if nothing was found, and describes what was.
//
// A scenario is a callable that returns a task<>, the smaller the better: an exchange, a time-out, a
// shut-down.
//
//   auto echo() -> eddy::task<> { ... }
//
//   drop_everywhere(echo)                 drops it at every suspension: does it release everything?
//   fail_allocation_everywhere(echo)      lets every allocation fail in turn: does it fail cleanly?
//   shuffle_everywhere(echo, 100)         resumes tasks in random order: does it depend on luck?
//
// Each compares a census, of frames, timers, operations, buffers, descriptors and more, before and after
// every run. A census can be taken by itself as well. Two switches work for whole programs: EDDY_BACKEND
// chooses the backend, EDDY_SHUFFLE=seed shuffles every runtime. shift_clocks.hpp sets a worker's clocks.
//
// <eddy/testing/replace_new.hpp> is not among these headers: it belongs into one source of a program.

#include <eddy/testing/drop_everywhere.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/report.hpp>
#include <eddy/testing/resource_snapshot.hpp>
#include <eddy/testing/scenario.hpp>
#include <eddy/testing/shift_clocks.hpp>
#include <eddy/testing/shuffle.hpp>
