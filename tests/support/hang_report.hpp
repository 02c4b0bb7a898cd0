#pragma once

#include <chrono>

namespace eddy::test {

/// Ends the program after that time, with a message that names the test and the coroutines that are alive,
/// unless report_no_hang() is called before. It takes no thread. `test` stays where it is until then.
void report_hang_after(std::chrono::milliseconds bound, const char* test);
void report_no_hang();

}  // namespace eddy::test
