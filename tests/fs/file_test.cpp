#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/temporary.hpp>
#include <eddy/fs/whole_file.hpp>

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <optional>
#include <pthread.h>
#include <stop_token>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace eddy::file_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

std::span<std::byte> bytes_of(std::string& text) {
    return std::as_writable_bytes(std::span(text));
}

open_options new_file() {
    return open_options().read().write().create();
}

TEST(file, reads_and_writes_several_buffers_at_a_place) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const file made = co_await fs::open(place.at("file"), new_file());
        const std::array<const_buffer, 2> parts = {const_buffer(std::string_view("head")),
                                                   const_buffer(std::string_view("tail"))};
        EXPECT_EQ(co_await made.write_at(parts, 1), 8U);
        std::string first(5, '.');
        std::string second(9, '.');
        const std::array<mutable_buffer, 2> room = {bytes_of(first), bytes_of(second)};
        EXPECT_EQ(co_await made.read_at(room, 1), 8U);
        EXPECT_EQ(first, "headt");
        EXPECT_EQ(second, "ail......");
    }());
}

TEST(file, goes_on_where_it_was) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        file made = co_await fs::open(place.at("file"), new_file());
        co_await made.write(as_bytes("first "));
        const auto written = co_await as_result(made.write(as_bytes("second")));
        EXPECT_EQ(written.value(), 6U);
        EXPECT_EQ(made.position(), 12U);
        made.seek(3);
        std::string out(5, '.');
        EXPECT_EQ(co_await made.read(bytes_of(out)), 5U);
        EXPECT_EQ(out, "st se");
        file moved = std::move(made);
        EXPECT_EQ(co_await moved.read(bytes_of(out)), 4U);
        EXPECT_EQ(co_await moved.read(bytes_of(out)), 0U);
        EXPECT_EQ(moved.position(), 12U);
    }());
}

TEST(file, keeps_its_place_when_a_read_is_dropped) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        file opened = co_await fs::open(place.at("file"));
        for (int turns = 0; turns < 3; ++turns) {
            std::string out(3, '.');
            auto reading = spawn([](file& from, std::span<std::byte> to) -> task<> {
                co_await from.read(to);
                ADD_FAILURE() << "nobody wanted it";
            }(opened, bytes_of(out)));
            if (turns > 0)
                co_await yield();
            if (opened.position() != 0)
                break;  // it was faster
            reading.cancel();
            EXPECT_EQ(opened.position(), 0U);
        }
    }());
}

TEST(file, writes_all_of_much_data) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const file made = co_await fs::open(place.at("file"), new_file());
        const std::string text(5 << 20, 't');
        co_await made.write_all_at(as_bytes(text), 10);
        EXPECT_EQ(made.size(), text.size() + 10);
        EXPECT_TRUE(place.read("file") == std::string(10, '\0') + text);
    }());
}

TEST(file, tells_that_the_device_is_full) {
    run_bounded([]() -> task<> {
        const file full = co_await fs::open("/dev/full", open_options().write());
        const auto written = co_await as_result(full.write_at(as_bytes("text"), 0));
        EXPECT_EQ(written.error(), std::errc::no_space_on_device);
        const auto all = co_await as_result(full.write_all_at(as_bytes("text"), 0));
        EXPECT_EQ(all.error(), std::errc::no_space_on_device);
    }());
}

/// While it lives, files of this program grow no larger, and writing more is an error and no signal.
class size_limit {
public:
    explicit size_limit(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limited), 0);
    }
    size_limit(const size_limit&) = delete;
    size_limit& operator=(const size_limit&) = delete;
    ~size_limit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

TEST(file, goes_on_after_a_short_write_until_the_system_says_why) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const file made = co_await fs::open(place.at("file"), new_file());
        const std::string text(100'000, 't');
        constexpr std::size_t room = 70'001;
        const size_limit limit(room);
        EXPECT_EQ(co_await made.write_at(as_bytes(text), 0), room);
        const auto all = co_await as_result(made.write_all_at(as_bytes(text), 1));
        EXPECT_EQ(all ? std::error_code() : all.error(), std::errc::file_too_large);
        EXPECT_EQ(made.size(), room);
        const auto grown = co_await as_result(made.truncate(room + 1));
        EXPECT_EQ(grown.error(), std::errc::file_too_large);
    }());
}

TEST(file, has_no_place_beyond_the_largest) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        file opened = co_await fs::open(place.at("file"), new_file());
        for (const std::uint64_t offset : {~std::uint64_t{0}, std::uint64_t{1} << 63}) {
            std::string out(3, '.');
            const auto read = co_await as_result(opened.read_at(bytes_of(out), offset));
            EXPECT_EQ(read.error(), std::errc::invalid_argument);
            const auto owned = co_await as_result(opened.read_owned_at(offset, std::size_t{3}));
            EXPECT_EQ(owned.error(), std::errc::invalid_argument);
            const auto written = co_await as_result(opened.write_at(as_bytes("x"), offset));
            EXPECT_FALSE(written.has_value());
            opened.seek(offset);
            const auto next = co_await as_result(opened.read(bytes_of(out)));
            EXPECT_EQ(next.error(), std::errc::invalid_argument);
        }
        EXPECT_EQ(place.read("file"), "content");
    }());
}

/// Interrupts this process all the time.
class signal_storm {
public:
    signal_storm() {
        struct sigaction ignored{};
        ignored.sa_handler = [](int) {};  // and no SA_RESTART
        ::sigaction(SIGUSR1, &ignored, &before_);
        storm_ = std::jthread([main = ::pthread_self()](const std::stop_token& over) {
            while (!over.stop_requested()) {
                ::pthread_kill(main, SIGUSR1);
                ::kill(::getpid(), SIGUSR1);
            }
        });
    }
    signal_storm(const signal_storm&) = delete;
    signal_storm& operator=(const signal_storm&) = delete;
    ~signal_storm() {
        storm_.request_stop();
        storm_.join();
        ::sigaction(SIGUSR1, &before_, nullptr);
    }

private:
    struct sigaction before_{};
    std::jthread storm_;
};

TEST(file, is_not_disturbed_by_signals) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const signal_storm storm;
        const std::string text(3 << 20, 't');
        for (int round = 0; round < 5; ++round) {
            co_await fs::write_file(place.at("file"), text);
            co_await fs::copy_file(place.at("file"), place.at("copy"));
            co_await fs::replace_file(place.at("file"), text);
            const std::string copied = co_await fs::read_file(place.at("copy"));
            EXPECT_TRUE(copied == text);
            // The system ends its reads early when there are signals.
            const auto endless = co_await as_result(fs::read_file("/dev/zero", 8 << 20));
            EXPECT_EQ(endless ? std::error_code() : endless.error(), std::errc::file_too_large);
        }
    }());
}

TEST(file, is_truncated_and_allocated) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "content");
        const file opened = co_await fs::open(place.at("file"), new_file());
        co_await opened.truncate(3);
        EXPECT_EQ(place.read("file"), "con");
        co_await opened.truncate(5);
        EXPECT_EQ(place.read("file"), std::string("con\0\0", 5));
        co_await opened.allocate(0, 100'000);
        EXPECT_EQ(opened.size(), 100'000U);
        EXPECT_GE(opened.status().allocated_bytes, 100'000U);
        const auto none = co_await as_result(opened.allocate(0, 0));
        EXPECT_EQ(none.error(), std::errc::invalid_argument);
        const file reading = co_await fs::open(place.at("file"));
        const auto refused = co_await as_result(reading.truncate(1));
        EXPECT_EQ(refused.error(), std::errc::invalid_argument);
    }());
}

TEST(file, is_carried_to_the_device) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        const file made = co_await fs::open(place.at("file"), new_file());
        co_await made.write_all_at(as_bytes("content"), 0);
        co_await made.sync_data();
        co_await made.sync();
        const file device = co_await fs::open("/dev/null");
        const auto refused = co_await as_result(device.sync());
        EXPECT_EQ(refused.error(), std::errc::invalid_argument);
    }());
}

// What was begun for it must not meet the file that gets its number next.
TEST(file, may_be_closed_while_a_call_that_was_dropped_goes_on) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("kept", std::string(100, 'k'));
        for (int turns = 0; turns < 30; ++turns) {
            place.write("cut", "content");
            std::optional<file> opened(co_await fs::open(place.at("cut"), new_file()));
            auto cutting = spawn(opened->truncate(1));
            for (int turn = 0; turn < turns % 3; ++turn)
                co_await yield();
            cutting.cancel();
            opened.reset();
            const file next = co_await fs::open(place.at("kept"), open_options().read().write());
            EXPECT_EQ(next.size(), 100U);
        }
        EXPECT_EQ(place.read("kept").size(), 100U);
    }());
}

}  // namespace
}  // namespace eddy::file_test
