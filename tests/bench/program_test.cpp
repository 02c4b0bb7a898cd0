#include "contest/program.hpp"

#include "driver/errors.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using bench::run_program;
using bench::sample;

std::string reason_of_failure(const std::string& path, const std::string& arguments) {
    try {
        run_program(path, arguments);
    } catch (const bench::failure& error) {
        return error.what();
    }
    return "no failure";
}

TEST(program, what_it_prints_is_its_sample) {
    const sample result = run_program("/bin/echo", "1000 2.5 3.5 4096");
    EXPECT_EQ(result.items, 1000);
    EXPECT_EQ(result.seconds, 2.5);
    EXPECT_EQ(result.cpu_seconds, 3.5);
    EXPECT_EQ(result.peak_memory_bytes, 4096);
}

TEST(program, fewer_numbers_are_no_sample) {
    EXPECT_EQ(reason_of_failure("/bin/echo", "1000 2.5 3.5"), "/bin/echo printed no sample");
}

TEST(program, a_sample_of_no_items_is_none) {
    EXPECT_EQ(reason_of_failure("/bin/echo", "0 2.5 3.5 4096"), "/bin/echo printed no sample");
}

TEST(program, another_exit_status_is_a_failure) {
    EXPECT_EQ(reason_of_failure("/bin/false", ""), "/bin/false has failed");
}

TEST(program, one_that_is_not_there_is_a_failure) {
    EXPECT_EQ(reason_of_failure("/nowhere/at/all", ""), "/nowhere/at/all has failed");
}

TEST(program, one_that_was_not_built_is_not_beside_this_one) {
    EXPECT_EQ(bench::program_beside("eddy-bench-nobody"), "");
}

}  // namespace
