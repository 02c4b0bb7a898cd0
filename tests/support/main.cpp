// main() of the test programs. It does what GoogleTest's own does, and
// - runs only the tests of one source with `--source=STEM`: a program has all of a directory's;
// - runs nothing where the system refuses the backend that EDDY_BACKEND names, and says so;
// - names the tests that were skipped, and ends with 77 then, which ctest counts as skipped;
// - lets the children of a test end with it;
// - ends the program if a test takes longer than its bound, with a list of the coroutines that are alive.
#include "support/hang_report.hpp"
#include "support/io_uring_refusal.hpp"
#include "support/orphans.hpp"
#include "support/source_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr int skipped = 77;

class reporter final : public ::testing::EmptyTestEventListener {
public:
    [[nodiscard]] bool has_skips() const noexcept { return !skips_.empty(); }

private:
    // Below the bound of ctest, and of time_bound, which knows less.
    static constexpr std::chrono::seconds bound{110};

    void OnTestStart(const ::testing::TestInfo& begun) override {
        name_ = std::string(begun.test_suite_name()) + '.' + begun.name();
        eddy::test::report_hang_after(bound, name_.c_str());
    }
    void OnTestEnd(const ::testing::TestInfo& ended) override {
        eddy::test::report_no_hang();
        const auto& result = *ended.result();
        if (!result.Skipped())
            return;
        for (int at = 0; at < result.total_part_count(); ++at)
            if (const auto& part = result.GetTestPartResult(at); part.skipped())
                skips_ += "skipped: " + name_ + ": " + first_line(part.message()) + '\n';
    }
    void OnTestProgramEnd(const ::testing::UnitTest&) override { std::fputs(skips_.c_str(), stdout); }

    static std::string first_line(std::string_view text) {
        // GoogleTest puts a line of its own before what the test says.
        if (text.starts_with("Skipped\n"))
            text.remove_prefix(8);
        return std::string(text.substr(0, text.find('\n')));
    }

    std::string name_;
    std::string skips_;
};

}  // namespace

int main(int argc, char** argv) {
    // Of a test that expects its process to die, which is no session of its own.
    const bool is_part_of_a_test = std::any_of(argv, argv + argc, [](std::string_view word) {
        return word.starts_with("--gtest_internal_run_death_test");
    });
    ::testing::InitGoogleTest(&argc, argv);
    eddy::test::choose_source(argc, argv);
    const char* const backend = std::getenv("EDDY_BACKEND");
    if (backend != nullptr && std::string_view(backend) == "io_uring") {
        if (const int refused = eddy::test::refusal_of_io_uring(); refused != 0) {
            std::printf("skipped: all: %s: %s\n", eddy::test::needs_io_uring, std::strerror(refused));
            return skipped;
        }
    }
    if (!is_part_of_a_test)
        eddy::test::end_children_with_this();
    auto* const reported = new reporter;
    ::testing::UnitTest::GetInstance()->listeners().Append(reported);
    const int result = eddy::test::status_of_run(RUN_ALL_TESTS());
    return result == 0 && reported->has_skips() ? skipped : result;
}
