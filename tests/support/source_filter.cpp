#include "support/source_filter.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::test {

namespace {

[[noreturn]] void refuse(const std::string& why) {
    std::fprintf(stderr, "tests: %s\n", why.c_str());
    std::exit(2);
}

std::string_view stem_of(std::string_view path) {
    path.remove_prefix(path.rfind('/') + 1);
    return path.substr(0, path.rfind('.'));
}

/// The source that the arguments name; empty if they name none.
std::string source_named(int argc, const char* const* argv) {
    constexpr std::string_view option = "--source=";
    std::string named;
    for (int at = 1; at < argc; ++at) {
        const std::string_view argument = argv[at];
        if (!argument.starts_with(option) || argument.size() == option.size())
            refuse("unknown argument " + std::string(argument) +
                   "; known are --source=STEM and GoogleTest's");
        named = argument.substr(option.size());
    }
    return named;
}

/// The names of all tests, those of the given source in the first set, others in the second.
std::pair<std::set<std::string>, std::set<std::string>> tests_within_and_beyond(std::string_view source) {
    std::set<std::string> within;
    std::set<std::string> beyond;
    const auto& all = *::testing::UnitTest::GetInstance();
    for (int suite_at = 0; suite_at < all.total_test_suite_count(); ++suite_at) {
        const auto& suite = *all.GetTestSuite(suite_at);
        for (int at = 0; at < suite.total_test_count(); ++at) {
            const auto& test = *suite.GetTestInfo(at);
            auto& names = stem_of(test.file()) == source ? within : beyond;
            names.insert(std::string(suite.name()) + '.' + test.name());
        }
    }
    return {within, beyond};
}

// GoogleTest prints the filter once it has chosen the tests by it: then it is the user's again.
class filter_restorer final : public ::testing::EmptyTestEventListener {
public:
    explicit filter_restorer(std::string filter) : filter_(std::move(filter)) {}

private:
    void OnTestProgramStart(const ::testing::UnitTest&) override { ::testing::GTEST_FLAG(filter) = filter_; }

    std::string filter_;
};

}  // namespace

void choose_source(int argc, const char* const* argv) {
    std::string& filter = ::testing::GTEST_FLAG(filter);
    const std::string source = source_named(argc, argv);
    if (source.empty())
        return;
    const auto [within, beyond] = tests_within_and_beyond(source);
    if (within.empty())
        refuse("no test is in " + source + ".cpp");
    ::testing::UnitTest::GetInstance()->listeners().Append(new filter_restorer(filter));
    // By exclusion, which a filter of the user's can be combined with: all that follows its first '-' is
    // excluded.
    char separator = filter.find('-') == std::string::npos ? '-' : ':';
    for (const std::string& name : beyond) {
        if (within.contains(name))
            refuse(name + " is in " + source + ".cpp and in another source of this program");
        filter += separator + name;
        separator = ':';
    }
}

int status_of_run(int status) {
    if (::testing::UnitTest::GetInstance()->test_to_run_count() != 0)
        return status;
    std::fprintf(stderr, "tests: the filter leaves no test to run\n");
    return 1;
}

}  // namespace eddy::test
