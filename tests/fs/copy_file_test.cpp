#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/names.hpp>

#include <gtest/gtest.h>

#include <string>
#include <sys/stat.h>
#include <system_error>

namespace eddy::copy_file_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

TEST(copy_file, copies_content_and_permissions) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        for (const std::size_t size : {0, 1, 10 << 20}) {
            const std::string content(size, 'c');
            place.write("from", content);
            EXPECT_EQ(::chmod(place.at("from").c_str(), 0604), 0);
            EXPECT_EQ(co_await fs::copy_file(place.at("from"), place.at("to")), size);
            EXPECT_TRUE(place.read("to") == content) << size;
            struct stat status{};
            EXPECT_EQ(::stat(place.at("to").c_str(), &status), 0);
            EXPECT_EQ(status.st_mode & 07777, 0604U);
            EXPECT_EQ(place.count(), 2U);
        }
    }());
}

TEST(copy_file, copies_what_the_system_does_not_copy_by_itself) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const std::uint64_t bytes = co_await fs::copy_file("/proc/self/limits", place.at("limits"));
        EXPECT_GT(bytes, 0U);
        EXPECT_TRUE(place.read("limits").starts_with("Limit"));
    }());
}

TEST(copy_file, keeps_what_is_there_if_it_is_told) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("from", "new");
        place.write("to", "old");
        const auto kept = co_await as_result(fs::copy_file_new(place.at("from"), place.at("to")));
        EXPECT_EQ(kept.error(), std::errc::file_exists);
        EXPECT_EQ(place.read("to"), "old");
        co_await fs::copy_file_new(place.at("from"), place.at("other"));
        EXPECT_EQ(place.read("other"), "new");
        EXPECT_EQ(place.count(), 3U);
    }());
}

TEST(copy_file, gives_the_errors_of_the_system_and_leaves_nothing) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        const auto error_of = [](file_path from, file_path to) -> task<std::error_code> {
            const auto copied = co_await as_result(fs::copy_file(std::move(from), std::move(to)));
            EXPECT_FALSE(copied.has_value());
            co_return copied ? std::error_code() : copied.error();
        };
        EXPECT_EQ(co_await error_of(place.at("missing"), place.at("to")),
                  std::errc::no_such_file_or_directory);
        EXPECT_EQ(co_await error_of(place.root(), place.at("to")), std::errc::is_a_directory);
        EXPECT_EQ(co_await error_of(place.at("file"), place.root()), std::errc::is_a_directory);
        EXPECT_EQ(co_await error_of(place.at("file"), place.at("file/below")), std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of("/dev/null", place.at("to")), std::errc::invalid_argument);
        EXPECT_EQ(co_await error_of(place.at("file"), std::string(place.at("t") + '\0')),
                  std::errc::invalid_argument);
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(copy_file, leaves_nothing_behind_when_it_is_dropped) {
    const scratch_directory place;
    place.write("from", std::string(8 << 20, 'c'));
    const std::size_t before = test::open_descriptors();
    for (int turns = 0; turns < 20; ++turns) {
        run_bounded([](const scratch_directory& where, int count) -> task<> {
            auto copying = spawn(fs::copy_file(where.at("from"), where.at("to")));
            for (int turn = 0; turn < count; ++turn)
                co_await yield();
            copying.cancel();
        }(place, turns));
        EXPECT_LE(place.count(), 2U);
        EXPECT_TRUE(place.count() == 1 || place.read("to").size() == 8U << 20);
        std::filesystem::remove(place.at("to"));
        EXPECT_EQ(test::open_descriptors(), before);
    }
}

}  // namespace
}  // namespace eddy::copy_file_test
