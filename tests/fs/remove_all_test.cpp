#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/names.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

namespace eddy::remove_all_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

TEST(remove_all, removes_a_tree_and_counts_it) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        for (int number = 0; number < 3000; ++number)
            place.write("tree/" + std::to_string(number % 7) + "/b/" + std::to_string(number), "x");
        place.write("kept", "");
        const std::size_t before = test::open_descriptors();
        EXPECT_EQ(co_await fs::remove_all(place.at("tree")), 3000U + 7 * 2 + 1);
        EXPECT_EQ(place.count(), 1U);
        EXPECT_EQ(co_await fs::remove_all(place.at("tree")), 0U);
        EXPECT_EQ(test::open_descriptors(), before);
    }());
}

TEST(remove_all, removes_what_is_no_directory) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        EXPECT_EQ(co_await fs::remove_all(place.at("file")), 1U);
        EXPECT_EQ(co_await fs::remove_all(place.at("missing/too")), 0U);
        EXPECT_EQ(place.count(), 0U);
    }());
}

TEST(remove_all, does_not_follow_symbolic_links) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("outside/kept", "kept");
        place.write("tree/file", "");
        std::filesystem::create_directory_symlink(place.at("outside"), place.at("tree/link"));
        std::filesystem::create_symlink("nowhere", place.at("tree/dangling"));
        std::filesystem::create_directory_symlink(place.at("outside"), place.at("direct"));
        EXPECT_EQ(co_await fs::remove_all(place.at("tree")), 4U);
        EXPECT_EQ(co_await fs::remove_all(place.at("direct")), 1U);
        EXPECT_EQ(place.read("outside/kept"), "kept");
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(remove_all, removes_deep_trees) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.make_deep("tree", 100);
        EXPECT_EQ(co_await fs::remove_all(place.at("tree")), 102U);
        EXPECT_EQ(place.count(), 0U);
    }());
}

TEST(remove_all, gives_the_errors_of_the_system) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        const auto below = co_await as_result(fs::remove_all(place.at("file/below")));
        EXPECT_EQ(below.error(), std::errc::not_a_directory);
        const auto refused = co_await as_result(fs::remove_all("/proc/self/task"));
        EXPECT_FALSE(refused.has_value());
        const auto bad = co_await as_result(fs::remove_all(std::string("a\0b", 3)));
        EXPECT_EQ(bad.error(), std::errc::invalid_argument);
    }());
}

TEST(remove_all, empties_a_directory_again_into_which_something_was_put_meanwhile) {
    // What is put there comes too late where another program has the processor for long: then once more.
    for (bool was_put = false; !was_put;) {
        const scratch_directory place;
        place.write("tree/first", "");
        for (int number = 0; number < 5000; ++number)
            place.write("tree/below/" + std::to_string(number), "");
        std::jthread putting([&](const std::stop_token& is_over) {
            // Once that has gone the tree is listed, and what is below it is removed next.
            while (std::filesystem::exists(place.at("tree/first")) && !is_over.stop_requested()) {
            }
            was_put = std::ofstream(place.at("tree/late")).is_open();
        });
        std::error_code failed;
        run_bounded([](const scratch_directory& where, std::error_code& failed_by) -> task<> {
            const auto removed = co_await as_result(fs::remove_all(where.at("tree")));
            if (!removed)
                failed_by = removed.error();
        }(place, failed));
        putting.request_stop();
        putting.join();
        EXPECT_FALSE(failed) << failed.message();
        EXPECT_EQ(place.count(), 0U);
        if (failed)
            return;
    }
}

TEST(remove_all, leaves_no_descriptor_when_it_is_dropped) {
    const scratch_directory place;
    const std::size_t before = test::open_descriptors();
    for (int turns = 0; turns < 8; ++turns) {
        for (int number = 0; number < 300; ++number)
            place.write("tree/" + std::to_string(number % 7) + "/" + std::to_string(number), "x");
        run_bounded([](const scratch_directory& where, int count) -> task<> {
            auto removing = spawn(fs::remove_all(where.at("tree")));
            for (int turn = 0; turn < count; ++turn)
                co_await yield();
            removing.cancel();
        }(place, turns));
        EXPECT_EQ(test::open_descriptors(), before);
    }
}

}  // namespace
}  // namespace eddy::remove_all_test
