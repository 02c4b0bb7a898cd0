#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/async_sequence.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/directory_watch.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <system_error>

namespace eddy::directory_watch_test {
namespace {

static_assert(async_sequence<directory_watch>);

using test::run_bounded;
using test::scratch_directory;
using kind = directory_change::change_kind;

/// The next change that is none of content or attributes.
task<directory_change> next_of_names(directory_watch& watch) {
    while (true) {
        std::optional<directory_change> change = co_await watch.next();
        if (!change)
            throw std::runtime_error("the watch has ended");
        if (change->kind != kind::modified && change->kind != kind::closed &&
            change->kind != kind::attributes)
            co_return std::move(*change);
    }
}

/// The next that concerns the path, whatever comes before it.
task<directory_change> next_of(directory_watch& watch, std::string path) {
    while (true) {
        std::optional<directory_change> change = co_await watch.next();
        if (!change)
            throw std::runtime_error("the watch has ended");
        if (change->path == path)
            co_return std::move(*change);
    }
}

TEST(directory_watch, tells_what_is_made_written_and_removed) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        directory_watch watch = co_await fs::watch(place.root());
        place.write("file", "content");
        for (const kind wanted : {kind::created, kind::modified, kind::closed}) {
            const auto change = co_await watch.next();
            EXPECT_EQ(change->kind, wanted);
            EXPECT_EQ(change->path, "file");
            EXPECT_FALSE(change->is_directory);
        }
        EXPECT_EQ(::chmod(place.at("file").c_str(), 0600), 0);
        EXPECT_EQ((co_await watch.next())->kind, kind::attributes);
        std::filesystem::remove(place.at("file"));
        const directory_change removed = co_await next_of_names(watch);
        EXPECT_EQ(removed.kind, kind::removed);
        EXPECT_EQ(removed.path, "file");
    }());
}

TEST(directory_watch, pairs_the_ends_of_a_renaming) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("a", "");
        place.write("below/inner", "");
        directory_watch watch = co_await fs::watch(place.root(), watch_options().recursive());
        std::filesystem::rename(place.at("a"), place.at("below/b"));
        const directory_change renamed = co_await next_of_names(watch);
        EXPECT_EQ(renamed.kind, kind::renamed);
        EXPECT_EQ(renamed.from, "a");
        EXPECT_EQ(renamed.path, "below/b");
    }());
}

TEST(directory_watch, tells_what_moves_in_and_out) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("outside/one", "");
        place.write("inside/two", "");
        directory_watch watch = co_await fs::watch(place.at("inside"));
        std::filesystem::rename(place.at("outside/one"), place.at("inside/one"));
        std::filesystem::rename(place.at("inside/two"), place.at("outside/two"));
        const directory_change in = co_await next_of_names(watch);
        EXPECT_EQ(in.kind, kind::created);
        EXPECT_EQ(in.path, "one");
        const directory_change out = co_await next_of_names(watch);
        EXPECT_EQ(out.kind, kind::removed);
        EXPECT_EQ(out.path, "two");
    }());
}

TEST(directory_watch, watches_directories_that_are_made_and_renamed) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        directory_watch watch = co_await fs::watch(place.root(), watch_options().recursive());
        place.write("new/deep/early", "");
        const directory_change made = co_await next_of(watch, "new");
        EXPECT_EQ(made.kind, kind::created);
        EXPECT_TRUE(made.is_directory);
        const directory_change early = co_await next_of(watch, "new/deep/early");
        EXPECT_EQ(early.kind, kind::created);
        place.write("new/deep/late", "");
        const directory_change late = co_await next_of(watch, "new/deep/late");
        EXPECT_EQ(late.kind, kind::created);
        std::filesystem::rename(place.at("new"), place.at("other"));
        const directory_change renamed = co_await next_of(watch, "other");
        EXPECT_EQ(renamed.kind, kind::renamed);
        std::filesystem::remove(place.at("other/deep/late"));
        const directory_change removed = co_await next_of(watch, "other/deep/late");
        EXPECT_EQ(removed.kind, kind::removed);
    }());
}

TEST(directory_watch, does_not_watch_directories_that_have_left_or_lie_behind_links) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("outside/file", "");
        place.write("inside/directory/file", "");
        std::filesystem::create_directory_symlink("../outside", place.at("inside/link"));
        directory_watch watch = co_await fs::watch(place.at("inside"), watch_options().recursive());
        std::filesystem::rename(place.at("inside/directory"), place.at("outside/directory"));
        const directory_change left = co_await next_of_names(watch);
        EXPECT_EQ(left.kind, kind::removed);
        EXPECT_EQ(left.path, "directory");
        place.write("outside/directory/unseen", "");
        place.write("outside/unseen", "");
        place.write("inside/seen", "");
        const directory_change seen = co_await next_of_names(watch);
        EXPECT_EQ(seen.path, "seen");
    }());
}

TEST(directory_watch, ends_when_the_directory_is_removed) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("directory/file", "");
        directory_watch watch = co_await fs::watch(place.at("directory"));
        std::filesystem::remove_all(place.at("directory"));
        const directory_change removed = co_await next_of_names(watch);
        EXPECT_EQ(removed.path, "file");
        const auto end = co_await watch.next();
        EXPECT_FALSE(end.has_value());
    }());
}

TEST(directory_watch, tells_that_too_much_has_happened_and_goes_on) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        std::size_t events_max = 0;
        std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> events_max;
        place.write("a", "");
        place.write("b", "");
        directory_watch watch = co_await fs::watch(place.root());
        // Changes of the same kind to the same file would be told once.
        for (std::size_t count = 0; count <= events_max; ++count)
            EXPECT_EQ(::chmod(place.at(count % 2 == 0 ? "a" : "b").c_str(), 0600), 0);
        while (true) {
            const auto change = co_await watch.next();
            if (change->kind == kind::overflow)
                break;
        }
        place.write("after", "");
        const directory_change after = co_await next_of_names(watch);
        EXPECT_EQ(after.path, "after");
    }());
}

// What has left the tree meanwhile is watched no more, and what has been made is.
TEST(directory_watch, looks_at_the_tree_afresh_when_too_much_has_happened) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        std::size_t events_max = 0;
        std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> events_max;
        place.write("tree/left/file", "");
        place.write("tree/a", "");
        place.write("tree/b", "");
        std::filesystem::create_directory(place.at("outside"));
        directory_watch watch = co_await fs::watch(place.at("tree"), watch_options().recursive());
        for (std::size_t count = 0; count <= events_max; ++count)
            EXPECT_EQ(::chmod(place.at(count % 2 == 0 ? "tree/a" : "tree/b").c_str(), 0600), 0);
        std::filesystem::rename(place.at("tree/left"), place.at("outside/left"));
        std::filesystem::create_directory(place.at("tree/made"));
        co_await next_of(watch, "");
        // Whatever is asked next is answered once the tree has been looked at.
        place.write("tree/sign", "");
        co_await next_of(watch, "sign");
        place.write("outside/left/unseen", "");
        place.write("tree/made/seen", "");
        directory_change change = co_await next_of_names(watch);
        while (change.path == "sign")
            change = co_await next_of_names(watch);
        EXPECT_EQ(change.path, "made/seen");
    }());
}

TEST(directory_watch, loses_no_change_when_a_wait_is_dropped) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        directory_watch watch = co_await fs::watch(place.root());
        for (int number = 0; number < 50; ++number) {
            std::optional<directory_change> seen;
            auto waiting = spawn([](directory_watch& from, std::optional<directory_change>& to) -> task<> {
                to = co_await from.next();
            }(watch, seen));
            co_await yield();
            std::filesystem::create_directory(place.at(std::to_string(number)));
            for (int turn = 0; turn < number % 4; ++turn)
                co_await yield();
            waiting.cancel();
            if (!seen)
                seen = co_await watch.next();
            EXPECT_EQ(seen->path, std::to_string(number));
        }
    }());
}

TEST(directory_watch, gives_the_errors_of_the_system) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        const std::size_t before = test::open_descriptors();
        const auto missing = co_await as_result(fs::watch(place.at("missing")));
        EXPECT_EQ(missing.error(), std::errc::no_such_file_or_directory);
        const auto file = co_await as_result(fs::watch(place.at("file")));
        EXPECT_EQ(file.error(), std::errc::not_a_directory);
        const auto bad = co_await as_result(fs::watch(std::string("a\0b", 3)));
        EXPECT_EQ(bad.error(), std::errc::invalid_argument);
        for (int turn = 0; turn < 10; ++turn)
            co_await yield();
        EXPECT_LE(test::open_descriptors(), before + 1);
    }());
}

}  // namespace
}  // namespace eddy::directory_watch_test
