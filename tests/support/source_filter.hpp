#pragma once

namespace eddy::test {

/// Restricts the run to the tests of one source file: those of `stem.cpp` for the argument `--source=stem`.
/// Tests that --gtest_filter excludes stay excluded. Ends the program, with a message, if the source has no
/// test, if it shares a test's name with another source, or if there is an argument that is neither this one
/// nor GoogleTest's. Requires: GoogleTest has been initialised.
void choose_source(int argc, const char* const* argv);

/// The exit status of a run: the given one, or 1, with a message, if the filters left no test to run.
[[nodiscard]] int status_of_run(int status);

}  // namespace eddy::test
