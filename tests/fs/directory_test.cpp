#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::directory_test {
namespace {

using namespace std::chrono_literals;

using test::scratch_directory;

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator listed("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(listed), end(listed)));
}

task<std::string> read_text(const directory& root, const char* path) {
    const file opened = co_await root.open_file(path);
    std::string text(opened.status().size, '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const auto rest = std::as_writable_bytes(std::span(text)).subspan(filled);
        const std::size_t count = co_await opened.read_at(rest, filled);
        EXPECT_NE(count, 0U);
        if (count == 0)
            break;
        filled += count;
    }
    co_return text;
}

TEST(directory, opens_and_reads_files_below_it) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        std::filesystem::create_directories(place.at("a/b"));
        place.write("a/b/file", "content");
        const directory root = directory::open(place.root());
        EXPECT_EQ(co_await read_text(root, "a/b/file"), "content");
        EXPECT_EQ(co_await read_text(root, "a/../a/b/file"), "content");
    }());
}

TEST(directory, says_which_directory_cannot_be_opened) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        for (const char* const path : {"missing", "file"}) {
            std::string message;
            try {
                static_cast<void>(directory::open(place.at(path)));
            } catch (const std::system_error& error) {
                message = error.what();
            }
            EXPECT_NE(message.find(place.at(path)), std::string::npos) << message;
        }
        co_return;
    }());
}

TEST(directory, never_opens_what_is_outside) {
    test::run_bounded([]() -> task<> {
        const scratch_directory outside;
        outside.write("secret", "secret");
        const scratch_directory place;
        std::filesystem::create_symlink(outside.at("secret"), place.at("link"));
        std::filesystem::create_symlink(place.at("inside"), place.at("absolute"));
        place.write("inside", "inside");
        const directory root = directory::open(place.root());
        const std::string up = "../" + std::filesystem::path(outside.root()).filename().string() + "/secret";
        for (const std::string& path :
             {up, outside.at("secret"), std::string("link"), std::string("absolute"), std::string("..")}) {
            const auto opened = co_await as_result(root.open_file(path.c_str()));
            EXPECT_FALSE(opened.has_value()) << path;
            if (!opened) {
                EXPECT_EQ(opened.error(), std::errc::cross_device_link) << path;
            }
        }
    }());
}

TEST(directory, tells_directories_files_and_others_apart) {
    test::run_bounded([]() -> task<> {
        using kind = io::file_status::file_kind;
        const scratch_directory place;
        place.write("file", "1234");
        std::filesystem::create_directory(place.at("directory"));
        EXPECT_EQ(::mkfifo(place.at("pipe").c_str(), 0600), 0);
        const directory root = directory::open(place.root());
        const file regular = co_await root.open_file("file");
        EXPECT_EQ(regular.status().kind, kind::regular);
        EXPECT_EQ(regular.status().size, 4U);
        const file inner = co_await root.open_file("directory");
        EXPECT_EQ(inner.status().kind, kind::directory);
        const file pipe = co_await root.open_file("pipe");  // which does not wait for a writer
        EXPECT_EQ(pipe.status().kind, kind::pipe);
    }());
}

TEST(directory, gives_the_errors_of_the_system) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        std::filesystem::create_symlink("circle", place.at("circle"));
        const directory root = directory::open(place.root());
        const auto error_of = [&root](const char* path) -> task<std::error_code> {
            const auto opened = co_await as_result(root.open_file(path));
            co_return opened ? std::error_code() : opened.error();
        };
        EXPECT_EQ(co_await error_of("missing"), std::errc::no_such_file_or_directory);
        EXPECT_EQ(co_await error_of("file/below"), std::errc::not_a_directory);
        EXPECT_EQ(co_await error_of("circle"), std::errc::too_many_symbolic_link_levels);
        const std::string long_name(300, 'n');
        EXPECT_EQ(co_await error_of(long_name.c_str()), std::errc::filename_too_long);
    }());
}

TEST(file, reads_from_any_place_and_nothing_at_the_end) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "0123456789");
        const directory root = directory::open(place.root());
        const file opened = co_await root.open_file("file");
        std::string out(4, '.');
        EXPECT_EQ(co_await opened.read_at(std::as_writable_bytes(std::span(out)), 3), 4U);
        EXPECT_EQ(out, "3456");
        EXPECT_EQ(co_await opened.read_at(std::as_writable_bytes(std::span(out)), 8), 2U);
        EXPECT_EQ(out, "8956");
        EXPECT_EQ(co_await opened.read_at(std::as_writable_bytes(std::span(out)), 10), 0U);
        EXPECT_EQ(co_await opened.read_at(std::as_writable_bytes(std::span(out)), 1 << 20), 0U);
    }());
}

TEST(file, gives_an_error_for_reading_a_directory) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        const directory root = directory::open(place.root());
        const file opened = co_await root.open_file(".");
        std::byte byte{};
        const auto count = co_await as_result(opened.read_at(std::span(&byte, 1), 0));
        EXPECT_FALSE(count.has_value());
        if (!count) {
            EXPECT_EQ(count.error(), std::errc::is_a_directory);
        }
    }());
}

// An opening is dropped before, while and after it is carried out.
TEST(directory, leaves_no_descriptor_when_an_opening_is_dropped) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        const directory root = directory::open(place.root());
        const std::size_t before = open_descriptors();
        for (int turns = 0; turns < 4; ++turns) {
            for (int time = 0; time < 50; ++time) {
                auto opening = spawn([](const directory& from) -> task<> {
                    static_cast<void>(co_await from.open_file("file"));
                }(root));
                for (int turn = 0; turn < turns; ++turn)
                    co_await yield();
                opening.cancel();
            }
        }
        co_await sleep_for(1ms);  // a turn, for the closes
        EXPECT_EQ(open_descriptors(), before);
    }());
}

TEST(file, is_done_with_the_memory_of_a_read_that_is_dropped) {
    test::run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", std::string(1 << 20, 'f'));
        const directory root = directory::open(place.root());
        const file opened = co_await root.open_file("file");
        for (int time = 0; time < 50; ++time) {
            auto memory = std::make_unique<std::vector<std::byte>>(1 << 20);
            auto reading = spawn([](const file& from, std::span<std::byte> out) -> task<> {
                co_await from.read_at(out, 0);
            }(opened, *memory));
            for (int turn = 0; turn < time % 3; ++turn)
                co_await yield();
            reading.cancel();
            // From here on nobody writes to it, which the sanitizers would see where threads do the reading.
            std::fill(memory->begin(), memory->end(), std::byte{1});
            co_await yield();
            EXPECT_EQ(std::ranges::count(*memory, std::byte{1}), 1 << 20);
        }
    }());
}

}  // namespace
}  // namespace eddy::directory_test
