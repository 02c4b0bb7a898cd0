#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>

namespace eddy::open_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

task<std::error_code> error_of(file_path path, open_options options = {}) {
    const auto opened = co_await as_result(fs::open(std::move(path), options));
    co_return opened ? std::error_code() : opened.error();
}

TEST(open, reads_by_default) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        const file opened = co_await fs::open(place.at("file"));
        EXPECT_EQ(opened.size(), 7U);
        const auto written = co_await as_result(opened.write_at(as_bytes("x"), 0));
        EXPECT_EQ(written.error(), std::errc::bad_file_descriptor);
    }());
}

TEST(open, makes_files_and_empties_them) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const file made = co_await fs::open(place.at("new"), open_options().write().create_new().mode(0600));
        EXPECT_EQ(made.status().permissions, 0600U);
        co_await made.write_all_at(as_bytes("content"), 0);
        const auto again = co_await error_of(place.at("new"), open_options().write().create_new());
        EXPECT_EQ(again, std::errc::file_exists);
        const file kept = co_await fs::open(place.at("new"), open_options().read().write().create());
        EXPECT_EQ(kept.size(), 7U);
        const file emptied = co_await fs::open(place.at("new"), open_options().write().truncate());
        EXPECT_EQ(kept.size(), 0U);
    }());
}

TEST(open, appends_whatever_the_place) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("log", "one ");
        file log = co_await fs::open(place.at("log"), open_options().append().create());
        co_await log.write(as_bytes("two "));
        const file other = co_await fs::open(place.at("log"), open_options().append());
        co_await other.write_at(as_bytes("three "), 0);
        co_await log.write(as_bytes("four"));
        EXPECT_EQ(place.read("log"), "one two three four");
    }());
}

TEST(open, gives_the_errors_of_the_system) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        std::filesystem::create_symlink("circle", place.at("circle"));
        std::filesystem::create_symlink("file", place.at("link"));
        EXPECT_EQ(co_await error_of(place.at("missing")), std::errc::no_such_file_or_directory);
        EXPECT_EQ(co_await error_of(place.at("file/below")), std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of(place.at("circle")), std::errc::too_many_symbolic_link_levels);
        EXPECT_EQ(co_await error_of(place.at(std::string(256, 'n'))), std::errc::filename_too_long);
        EXPECT_EQ(co_await error_of(place.root(), open_options().write()), std::errc::is_a_directory);
        EXPECT_EQ(co_await error_of(place.at("file"), open_options().directory()),
                  std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of(place.at("link"), open_options().no_follow()),
                  std::errc::too_many_symbolic_link_levels);
        EXPECT_EQ(co_await error_of(std::string(place.at("file") + '\0' + "x")), std::errc::invalid_argument);
        EXPECT_EQ(co_await error_of(""), std::errc::no_such_file_or_directory);
    }());
}

TEST(open, refuses_options_that_contradict_each_other) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        EXPECT_EQ(co_await error_of(place.at("file"), open_options().truncate()),
                  std::errc::invalid_argument);
        EXPECT_EQ(co_await error_of(place.at("new"), open_options().create()), std::errc::invalid_argument);
        EXPECT_EQ(place.read("file"), "content");
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(open, says_which_file) {
    run_bounded([]() -> task<> {
        std::string message;
        try {
            co_await fs::open("/nowhere/at all");
        } catch (const std::system_error& error) {
            message = error.what();
        }
        EXPECT_NE(message.find("'/nowhere/at all'"), std::string::npos) << message;
    }());
}

TEST(open, takes_names_of_any_bytes) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        for (const std::string_view name : {"\xff\xfe", "new\nline", " ", "\x01\x7f", "-rf", "*"}) {
            const file made = co_await fs::open(place.at(name), open_options().write().create_new());
            EXPECT_TRUE(std::filesystem::exists(place.at(name)));
        }
        const std::string longest(255, 'n');
        const file made = co_await fs::open(place.at(longest), open_options().write().create_new());
        EXPECT_EQ(place.count(), 7U);
    }());
}

TEST(open, does_not_wait_for_the_other_end_of_a_named_pipe) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        EXPECT_EQ(::mkfifo(place.at("pipe").c_str(), 0600), 0);
        EXPECT_EQ(co_await error_of(place.at("pipe"), open_options().write()),
                  std::errc::no_such_device_or_address);
        EXPECT_EQ(co_await error_of(place.at("pipe")), std::error_code());
    }());
}

TEST(open, gives_files_whose_operations_may_wait) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const file made = co_await fs::open(place.at("file"), open_options().write().create());
        EXPECT_EQ(::fcntl(made.descriptor(), F_GETFL) & O_NONBLOCK, 0);
    }());
}

TEST(open, passes_on_what_else_is_asked_of_the_system) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        const auto flags_of = [](const file& opened) { return ::fcntl(opened.descriptor(), F_GETFL); };
        const file plain = co_await fs::open(place.at("file"), open_options().write());
        EXPECT_EQ(flags_of(plain) & (O_SYNC | O_NOATIME), 0);
        const file whole = co_await fs::open(place.at("file"), open_options().write().synchronous());
        EXPECT_EQ(flags_of(whole) & O_SYNC, O_SYNC);
        const file data = co_await fs::open(place.at("file"), open_options().write().synchronous_data());
        EXPECT_EQ(flags_of(data) & O_SYNC, O_DSYNC);
        const file quiet = co_await fs::open(place.at("file"), open_options().keep_access_time());
        EXPECT_EQ(flags_of(quiet) & O_NOATIME, O_NOATIME);
    }());
}

TEST(open, stays_below_a_directory_that_is_asked) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("root/file", "");
        std::filesystem::create_symlink("..", place.at("root/up"));
        const directory root = directory::open(place.at("root"));
        const file made = co_await root.open_file("new", open_options().write().create());
        EXPECT_TRUE(std::filesystem::exists(place.at("root/new")));
        for (const char* const path : {"../out", "up/out"}) {
            const auto opened = co_await as_result(root.open_file(path, open_options().write().create()));
            EXPECT_EQ(opened.error(), std::errc::cross_device_link) << path;
        }
        EXPECT_FALSE(std::filesystem::exists(place.at("out")));
    }());
}

TEST(open, leaves_no_descriptor_when_it_is_dropped) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const std::size_t before = test::open_descriptors();
        for (int turns = 0; turns < 4; ++turns) {
            for (int time = 0; time < 20; ++time) {
                const auto creating = [](std::string path) -> task<> {
                    const file made = co_await fs::open(path, open_options().write().create());
                };
                auto opening = spawn(creating(place.at("file")));
                for (int turn = 0; turn < turns; ++turn)
                    co_await yield();
                opening.cancel();
            }
        }
        co_await sleep_for(std::chrono::milliseconds(1));  // a turn, for the closes
        EXPECT_EQ(test::open_descriptors(), before);
    }());
}

}  // namespace
}  // namespace eddy::open_test
