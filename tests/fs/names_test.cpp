#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/fs/names.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::names_test {
namespace {

using test::run_bounded;
using test::scratch_directory;
using kind = io::file_status::file_kind;

template <class T>
task<std::error_code> error_of(task<T> tried) {
    const auto result = co_await as_result(std::move(tried));
    co_return result ? std::error_code() : result.error();
}

TEST(names, tell_what_they_stand_for) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        std::filesystem::create_symlink("file", place.at("link"));
        const io::file_status through = co_await fs::status(place.at("link"));
        EXPECT_EQ(through.kind, kind::regular);
        EXPECT_EQ(through.size, 7U);
        EXPECT_EQ(through.links, 1U);
        const io::file_status itself = co_await fs::symlink_status(place.at("link"));
        EXPECT_EQ(itself.kind, kind::symbolic_link);
        EXPECT_EQ(itself.size, 4U);
        EXPECT_EQ((co_await fs::status(place.root())).kind, kind::directory);
        EXPECT_EQ((co_await fs::status("/dev/null")).kind, kind::other);
        EXPECT_TRUE(co_await fs::exists(place.at("file")));
        EXPECT_FALSE(co_await fs::exists(place.at("missing")));
        EXPECT_FALSE(co_await fs::exists(place.at("file/below")));
    }());
}

TEST(names, are_changed) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("a", "a");
        place.write("b", "b");
        EXPECT_EQ(co_await error_of(fs::rename_new(place.at("a"), place.at("b"))), std::errc::file_exists);
        co_await fs::rename_new(place.at("a"), place.at("c"));
        co_await fs::rename(place.at("c"), place.at("b"));
        EXPECT_EQ(place.read("b"), "a");
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(names, are_added_and_removed) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        co_await fs::link(place.at("file"), place.at("other"));
        EXPECT_EQ((co_await fs::status(place.at("file"))).links, 2U);
        const std::string odd = "\xff nowhere\n";
        co_await fs::symlink(odd, place.at("link"));
        EXPECT_EQ(co_await fs::read_link(place.at("link")), odd);
        co_await fs::remove(place.at("link"));
        co_await fs::remove(place.at("file"));
        EXPECT_EQ(place.read("other"), "content");
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(names, of_directories_are_made_and_removed) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        co_await fs::create_directory(place.at("one"), 0700);
        EXPECT_EQ((co_await fs::status(place.at("one"))).permissions, 0700U);
        co_await fs::create_directories(place.at("one/two//three/"));
        co_await fs::create_directories(place.at("one/two/three"));
        EXPECT_TRUE(std::filesystem::is_directory(place.at("one/two/three")));
        EXPECT_EQ(co_await error_of(fs::remove_directory(place.at("one"))), std::errc::directory_not_empty);
        co_await fs::remove_directory(place.at("one/two/three"));
        EXPECT_FALSE(std::filesystem::exists(place.at("one/two/three")));
    }());
}

TEST(names, that_are_wrong_give_the_errors_of_the_system) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        std::filesystem::create_symlink("circle", place.at("circle"));
        const std::string missing = place.at("missing");
        const std::string below_file = place.at("file/below");
        EXPECT_EQ(co_await error_of(fs::status(missing)), std::errc::no_such_file_or_directory);
        EXPECT_EQ(co_await error_of(fs::status(below_file)), std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of(fs::status(place.at("circle"))),
                  std::errc::too_many_symbolic_link_levels);
        EXPECT_EQ(co_await error_of(fs::status(place.at(std::string(256, 'n')))),
                  std::errc::filename_too_long);
        EXPECT_EQ(co_await error_of(fs::remove(place.root())), std::errc::is_a_directory);
        EXPECT_EQ(co_await error_of(fs::remove_directory(place.at("file"))), std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of(fs::create_directory(place.at("file"))), std::errc::file_exists);
        EXPECT_EQ(co_await error_of(fs::create_directories(place.at("file"))), std::errc::file_exists);
        EXPECT_EQ(co_await error_of(fs::create_directories(below_file)), std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of(fs::create_directories("")), std::errc::no_such_file_or_directory);
        EXPECT_EQ(co_await error_of(fs::read_link(place.at("file"))), std::errc::invalid_argument);
        EXPECT_EQ(co_await error_of(fs::link(missing, place.at("x"))), std::errc::no_such_file_or_directory);
    }());
}

TEST(names, with_a_nul_byte_are_refused_by_every_call) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        const std::string bad = place.at("file") + '\0' + "more";
        const std::string good = place.at("file");
        const auto refused = std::errc::invalid_argument;
        EXPECT_EQ(co_await error_of(fs::status(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::symlink_status(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::exists(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::rename(bad, good)), refused);
        EXPECT_EQ(co_await error_of(fs::rename(good, bad)), refused);
        EXPECT_EQ(co_await error_of(fs::link(good, bad)), refused);
        EXPECT_EQ(co_await error_of(fs::symlink(bad, place.at("link"))), refused);
        EXPECT_EQ(co_await error_of(fs::read_link(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::remove(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::create_directory(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::create_directories(bad)), refused);
        EXPECT_EQ(co_await error_of(fs::remove_directory(bad)), refused);
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(names, stand_in_the_message_of_an_error) {
    run_bounded([]() -> task<> {
        std::string message;
        try {
            co_await fs::remove("/nowhere/at all");
        } catch (const std::system_error& error) {
            message = error.what();
        }
        EXPECT_NE(message.find("cannot remove '/nowhere/at all'"), std::string::npos) << message;
    }());
}

}  // namespace
}  // namespace eddy::names_test
