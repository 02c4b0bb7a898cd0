#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/async_sequence.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/directory_walk.hpp>
#include <eddy/fs/names.hpp>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <sys/stat.h>
#include <system_error>

namespace eddy::directory_walk_test {
namespace {

static_assert(async_sequence<directory_walk>);

using test::run_bounded;
using test::scratch_directory;
using kind = io::entry_kind;
using names = std::set<std::string>;

task<names> all_paths(directory_walk walk) {
    names found;
    while (const auto entry = co_await walk.next()) {
        EXPECT_TRUE(found.emplace(entry->relative_path()).second)
            << entry->relative_path() << " was given twice";
        EXPECT_FALSE(entry->error()) << entry->relative_path();
    }
    const auto after = co_await walk.next();
    EXPECT_FALSE(after.has_value());
    co_return found;
}

TEST(directory_walk, gives_the_entries_of_a_directory) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        EXPECT_EQ(co_await all_paths(fs::entries(place.root())), names());
        place.write("file", "");
        place.write(".hidden", "");
        place.write("directory/inner", "");
        place.write("\xff\n", "");
        place.write(std::string(255, 'n'), "");
        const names found = co_await all_paths(fs::entries(place.root()));
        EXPECT_EQ(found, names({"file", ".hidden", "directory", "\xff\n", std::string(255, 'n')}));
    }());
}

TEST(directory_walk, tells_what_each_entry_is) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("below/file", "");
        std::filesystem::create_symlink("below", place.at("link"));
        EXPECT_EQ(::mkfifo(place.at("pipe").c_str(), 0600), 0);
        std::map<std::string, kind, std::less<>> kinds;
        directory_walk walk = fs::walk(place.root());
        while (const auto entry = co_await walk.next()) {
            kinds.emplace(entry->relative_path(), entry->kind());
            if (entry->name() == "file") {
                EXPECT_EQ(entry->relative_path(), "below/file");
                EXPECT_EQ(entry->depth(), 2U);
                struct stat status{};
                EXPECT_EQ(::stat(place.at("below/file").c_str(), &status), 0);
                EXPECT_EQ(entry->inode(), status.st_ino);
            }
        }
        EXPECT_EQ(kinds, (decltype(kinds){{"below", kind::directory},
                                          {"below/file", kind::regular},
                                          {"link", kind::symbolic_link},
                                          {"pipe", kind::other}}));
    }());
}

TEST(directory_walk, finds_every_file_of_a_tree_and_each_directory_before_what_it_holds) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        names made;
        for (int number = 0; number < 5000; ++number) {
            const std::string path =
                std::to_string(number % 17) + "/" + std::to_string(number % 5) + "/" + std::to_string(number);
            place.write(path, "");
            made.insert(path);
        }
        const std::size_t before = test::open_descriptors();
        names directories = {""};
        directory_walk walk = fs::walk(place.root());
        while (const auto entry = co_await walk.next()) {
            const std::string path(entry->relative_path());
            const auto slash = path.rfind('/');
            EXPECT_TRUE(directories.contains(slash == std::string::npos ? "" : path.substr(0, slash)))
                << path;
            if (entry->kind() == kind::directory)
                directories.insert(path);
            else
                EXPECT_EQ(made.erase(path), 1U) << path;
            EXPECT_LE(test::open_descriptors(), before + 3);
        }
        EXPECT_TRUE(made.empty());
    }());
}

TEST(directory_walk, goes_as_deep_as_it_is_told) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("a/b/c/d", "");
        const names two = co_await all_paths(fs::walk(place.root(), walk_options().depth_max(2)));
        EXPECT_EQ(two, names({"a", "a/b"}));
        const names none = co_await all_paths(fs::walk(place.root(), walk_options().depth_max(0)));
        EXPECT_EQ(none, names({"a"}));
    }());
}

TEST(directory_walk, goes_deeper_than_any_path) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.make_deep("tree", 100);
        directory_walk walk = fs::walk(place.at("tree"));
        std::uint32_t depth = 0;
        while (const auto entry = co_await walk.next()) {
            EXPECT_FALSE(entry->error());
            EXPECT_EQ(entry->depth(), ++depth);
        }
        EXPECT_EQ(depth, 101U);
        co_await fs::remove_all(place.at("tree"));
    }());
}

TEST(directory_walk, never_leaves_the_tree_by_a_symbolic_link) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("outside/secret", "");
        place.write("tree/file", "");
        std::filesystem::create_directory_symlink(place.at("outside"), place.at("tree/link"));
        std::filesystem::create_directory_symlink("..", place.at("tree/up"));
        const names found = co_await all_paths(fs::walk(place.at("tree")));
        EXPECT_EQ(found, names({"file", "link", "up"}));
        // The directory itself may be named by a link.
        const names behind_link = co_await all_paths(fs::walk(place.at("tree/link")));
        EXPECT_EQ(behind_link, names({"secret"}));
    }());
}

// The directory has been given when a link takes its place.
TEST(directory_walk, never_leaves_the_tree_by_a_link_that_takes_the_place_of_a_directory) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("outside/secret", "");
        for (int number = 0; number < 3000; ++number)
            place.write("tree/a/" + std::to_string(number), "");
        place.write("tree/b/inner", "");
        std::filesystem::create_directories(place.at("tree/c/d"));
        directory_walk walk = fs::walk(place.at("tree"));
        static_cast<void>(co_await walk.next());
        for (const char* const directory : {"tree/b", "tree/a", "tree/c/d"}) {
            std::filesystem::remove_all(place.at(directory));
            std::filesystem::create_directory_symlink(place.at("outside"), place.at(directory));
        }
        while (const auto entry = co_await walk.next())
            EXPECT_NE(entry->name(), "secret") << entry->relative_path();
    }());
}

TEST(directory_walk, passes_over_a_directory_that_went_after_it_was_given) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const std::array<std::string, 2> directories{"a", "b"};
        for (int number = 0; number < 1100; ++number)  // more than are read at once
            for (const std::string& directory : directories)
                place.write("tree/" + directory + '/' + std::to_string(number), "");
        directory_walk walk = fs::walk(place.at("tree"));
        static_cast<void>(co_await walk.next());
        for (const std::string& directory : directories)
            std::filesystem::remove_all(place.at("tree/" + directory));
        while (const auto entry = co_await walk.next())
            EXPECT_FALSE(entry->error()) << entry->relative_path();
    }());
}

TEST(directory_walk, gives_the_errors_of_the_system) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        for (const auto& [path, wanted] : {std::pair("missing", std::errc::no_such_file_or_directory),
                                           {"file", std::errc::not_a_directory}}) {
            directory_walk walk = fs::walk(place.at(path));
            const auto first = co_await as_result(walk.next());
            EXPECT_FALSE(first.has_value());
            EXPECT_EQ(first.error(), wanted);
            const auto after = co_await walk.next();
            EXPECT_FALSE(after.has_value());
        }
        EXPECT_THROW(static_cast<void>(fs::entries(std::string_view("a\0b", 3))), std::system_error);
    }());
}

TEST(directory_walk, loses_no_entry_when_a_wait_is_dropped) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        names made;
        for (int number = 0; number < 3000; ++number) {
            made.insert("directory/" + std::to_string(number));
            place.write("directory/" + std::to_string(number), "");
        }
        made.insert("directory");
        for (int turns = 0; turns < 4; ++turns) {
            directory_walk walk = fs::walk(place.root());
            names found;
            bool is_over = false;
            for (std::size_t requested = 0; !is_over; ++requested) {
                // Every second wait is dropped, before or while the pool reads.
                auto waiting = spawn([](directory_walk& from, names& into, bool& ended) -> task<> {
                    const auto entry = co_await from.next();
                    ended = !entry.has_value();
                    if (entry)
                        into.emplace(entry->relative_path());
                }(walk, found, is_over));
                if (requested % 2 == 0) {
                    for (int turn = 0; turn < turns; ++turn)
                        co_await yield();
                    waiting.cancel();
                } else {
                    co_await waiting;
                }
            }
            EXPECT_EQ(found.size(), made.size());
            EXPECT_TRUE(found == made);
        }
    }());
}

TEST(directory_walk, leaves_no_descriptor_when_it_is_dropped) {
    const scratch_directory place;
    for (int number = 0; number < 3000; ++number)
        place.write(std::to_string(number % 9) + "/" + std::to_string(number), "");
    const std::size_t before = test::open_descriptors();
    for (int turns = 0; turns < 10; ++turns) {
        run_bounded([](const scratch_directory& where, int count) -> task<> {
            auto walking = spawn(all_paths(fs::walk(where.root())));
            for (int turn = 0; turn < count; ++turn)
                co_await yield();
        }(place, turns));
        EXPECT_EQ(test::open_descriptors(), before);
    }
}

}  // namespace
}  // namespace eddy::directory_walk_test
