#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/temporary.hpp>
#include <eddy/fs/whole_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::temporary_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

TEST(temporary, a_directory_goes_with_its_owner) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        std::string path;
        {
            const temporary_directory made = co_await fs::make_temporary_directory(place.root());
            path = made.path().text();
            EXPECT_EQ((co_await fs::status(path)).permissions, 0700U);
            co_await fs::create_directories(made.at("a/b"));
            co_await fs::write_file(made.at("a/b/file"), "content");
        }
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_EQ(place.count(), 0U);
    }());
}

TEST(temporary, a_directory_is_moved_removed_and_kept) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        temporary_directory first = co_await fs::make_temporary_directory(place.root());
        temporary_directory second = co_await fs::make_temporary_directory(place.root());
        EXPECT_NE(first.path().text(), second.path().text());
        {
            temporary_directory moved = std::move(first);
            EXPECT_EQ(place.count(), 2U);
        }
        EXPECT_EQ(place.count(), 1U);
        co_await second.remove();
        EXPECT_EQ(place.count(), 0U);
        {
            temporary_directory third = co_await fs::make_temporary_directory(place.root());
            third.keep();
        }
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(temporary, a_file_has_no_name) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        file made = co_await fs::make_temporary_file(place.root());
        co_await made.write(as_bytes("content"));
        EXPECT_EQ(made.size(), 7U);
        EXPECT_EQ(made.status().links, 0U);
        EXPECT_EQ(place.count(), 0U);
    }());
}

TEST(temporary, nothing_is_made_where_nothing_can_be) {
    run_bounded([]() -> task<> {
        const auto directory = co_await as_result(fs::make_temporary_directory("/nowhere"));
        EXPECT_EQ(directory.error(), std::errc::no_such_file_or_directory);
        const auto file = co_await as_result(fs::make_temporary_file("/nowhere"));
        EXPECT_EQ(file.error(), std::errc::no_such_file_or_directory);
    }());
}

TEST(temporary, nothing_is_left_when_the_making_is_dropped) {
    const scratch_directory place;
    const std::size_t before = test::open_descriptors();
    for (int turns = 0; turns < 30; ++turns) {
        run_bounded([](const scratch_directory& where, int count) -> task<> {
            auto directory = spawn(fs::make_temporary_directory(where.root()));
            auto file = spawn(fs::make_temporary_file(where.root()));
            for (int turn = 0; turn < count; ++turn)
                co_await yield();
        }(place, turns));
        EXPECT_EQ(place.count(), 0U);
        EXPECT_EQ(test::open_descriptors(), before);
    }
}

}  // namespace
}  // namespace eddy::temporary_test
