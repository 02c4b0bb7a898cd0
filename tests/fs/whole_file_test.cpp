#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_device.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/whole_file.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <expected>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::whole_file_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

TEST(whole_file, is_no_pipe) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const std::string path = place.at("pipe");
        EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
        // Both ends are open, and something is there to be read.
        const int ends = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        EXPECT_EQ(::write(ends, "bytes", 5), 5);
        const auto got = co_await as_result(fs::read_file(path));
        EXPECT_FALSE(got.has_value());
        EXPECT_EQ(got ? std::error_code() : got.error(), std::errc::invalid_seek);
        ::close(ends);
    }());
}

TEST(whole_file, is_read_whatever_its_size) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        for (const std::size_t size : {0, 1, 4095, 4096, 4097, 3 << 20}) {
            const std::string content(size, 'c');
            place.write("file", content);
            const std::string got = co_await fs::read_file(place.at("file"));
            EXPECT_TRUE(got == content) << size;
        }
    }());
}

TEST(whole_file, is_read_although_it_tells_no_size) {
    run_bounded([]() -> task<> {
        const std::string reported = co_await fs::read_file("/proc/self/status");
        EXPECT_TRUE(reported.starts_with("Name:"));
        const std::string symbols = co_await fs::read_file("/proc/self/maps");
        EXPECT_TRUE(symbols.ends_with('\n'));
    }());
}

TEST(whole_file, is_not_read_beyond_the_limit) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", std::string(5000, 'c'));
        const std::string all = co_await fs::read_file(place.at("file"), 5000);
        EXPECT_EQ(all.size(), 5000U);
        for (const std::size_t limit : {0, 1, 4096, 4999}) {
            const auto got = co_await as_result(fs::read_file(place.at("file"), limit));
            EXPECT_FALSE(got.has_value()) << limit;
            EXPECT_EQ(got.error(), std::errc::file_too_large) << limit;
        }
        place.write("empty", "");
        EXPECT_EQ(co_await fs::read_file(place.at("empty"), 0), "");
        const auto endless = co_await as_result(fs::read_file("/dev/zero", 100'000));
        EXPECT_EQ(endless.error(), std::errc::file_too_large);
    }());
}

TEST(whole_file, is_an_error_if_it_is_a_directory) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        EXPECT_EQ((co_await as_result(fs::read_file(place.root()))).error(), std::errc::is_a_directory);
        EXPECT_EQ((co_await as_result(fs::write_file(place.root(), "x"))).error(), std::errc::is_a_directory);
        EXPECT_EQ((co_await as_result(fs::replace_file(place.root(), "x"))).error(),
                  std::errc::is_a_directory);
        EXPECT_EQ(place.count(), 0U);
    }());
}

TEST(whole_file, is_written_over_what_was_there) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "something long");
        co_await fs::write_file(place.at("file"), "short");
        EXPECT_EQ(place.read("file"), "short");
        const auto full = co_await as_result(fs::write_file("/dev/full", "x"));
        EXPECT_EQ(full.error(), std::errc::no_space_on_device);
    }());
}

void expect_no_space(const std::expected<void, std::error_code>& result) {
    EXPECT_EQ(result ? std::error_code() : result.error(), std::errc::no_space_on_device);
}

void fill_a_device(const scratch_directory& place) {
    run_bounded([](const scratch_directory& device) -> task<> {
        const scratch_directory outside;
        const std::string much(1 << 20, 'm');
        outside.write("much", much);
        device.write("file", "old");
        expect_no_space(co_await as_result(fs::replace_file(device.at("file"), much)));
        const auto copied = co_await as_result(fs::copy_file(outside.at("much"), device.at("copy")));
        EXPECT_EQ(copied ? std::error_code() : copied.error(), std::errc::no_space_on_device);
        EXPECT_EQ(device.read("file"), "old");
        EXPECT_EQ(device.count(), 1U);
        const file growing = co_await fs::open(device.at("growing"), open_options().write().create());
        expect_no_space(co_await as_result(growing.allocate(0, much.size())));
        expect_no_space(co_await as_result(growing.write_all_at(as_bytes(much), 0)));
        EXPECT_GT(growing.size(), 100'000U);
    }(place));
}

TEST(whole_file, stays_as_it_was_when_the_device_is_full) {
    if (!test::with_small_device(256, &fill_a_device))
        GTEST_SKIP() << "[mount] this user may not mount anything";
}

TEST(whole_file, is_replaced_at_once_and_keeps_its_permissions) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "old");
        EXPECT_EQ(::chmod(place.at("file").c_str(), 0604), 0);
        std::ifstream reader(place.at("file"));
        co_await fs::replace_file(place.at("file"), "new");
        EXPECT_EQ(place.read("file"), "new");
        std::string read;
        reader >> read;
        EXPECT_EQ(read, "old") << "what was opened before stays as it was";
        struct stat status{};
        EXPECT_EQ(::stat(place.at("file").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, 0604U);
        const std::string much(3 << 20, 'm');
        co_await fs::replace_file(place.at("fresh"), much, 0600);
        EXPECT_TRUE(place.read("fresh") == much);
        EXPECT_EQ(::stat(place.at("fresh").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, 0600U);
        EXPECT_EQ(place.count(), 2U);
    }());
}

TEST(whole_file, is_replaced_by_one_without_set_user_id_set_group_id_and_sticky_bits) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "old");
        EXPECT_EQ(::chmod(place.at("file").c_str(), 07755), 0);
        co_await fs::replace_file(place.at("file"), "new");
        struct stat status{};
        EXPECT_EQ(::stat(place.at("file").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, 0755U);
    }());
}

TEST(whole_file, is_replaced_where_its_name_is_as_long_as_can_be) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const std::string longest(255, 'n');
        co_await fs::replace_file(place.at(longest), "content");
        EXPECT_EQ(place.read(longest), "content");
        const auto longer = co_await as_result(fs::replace_file(place.at(longest + 'n'), "content"));
        EXPECT_EQ(longer.error(), std::errc::filename_too_long);
        EXPECT_EQ(place.count(), 1U);
    }());
}

TEST(whole_file, takes_the_place_of_a_symbolic_link) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("target", "target");
        std::filesystem::create_symlink("target", place.at("link"));
        co_await fs::replace_file(place.at("link"), "new");
        EXPECT_EQ(place.read("target"), "target");
        EXPECT_FALSE(std::filesystem::is_symlink(place.at("link")));
    }());
}

TEST(whole_file, is_old_or_new_and_nothing_else_is_left_when_a_replacement_is_dropped) {
    const scratch_directory place;
    const std::string old_content(100'000, 'o');
    const std::string new_content(200'000, 'n');
    for (int turns = 0; turns < 20; ++turns) {
        place.write("file", old_content);
        // The runtime's end waits for what the pool has begun.
        run_bounded([](const scratch_directory& where, const std::string& content, int count) -> task<> {
            auto replacing = spawn(fs::replace_file(where.at("file"), content));
            for (int turn = 0; turn < count; ++turn)
                co_await yield();
            replacing.cancel();
        }(place, new_content, turns));
        const std::string found = place.read("file");
        EXPECT_TRUE(found == old_content || found == new_content);
        EXPECT_EQ(place.count(), 1U);
    }
}

}  // namespace
}  // namespace eddy::whole_file_test
