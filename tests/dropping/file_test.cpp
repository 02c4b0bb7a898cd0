// What dropping does to the opening and the reading of files.

#include "support/descriptors.hpp"
#include "support/drop_moments.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/slow_file.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/fs/directory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::file_test {
namespace {

using test::moment;
using test::slow_file;

/// A directory with one file, gone with the test.
class scratch : public test::scratch_directory {
public:
    scratch() { write("file", std::string(100'000, 'f')); }
};

task<> open_file(const directory& root) {
    static_cast<void>(co_await root.open_file("file"));
}
task<> read_owned(const file& from) {
    static_cast<void>(co_await from.read_owned_at(0, 50'000));
}

task<> reach(moment when) {
    co_await yield();
    if (when == moment::posted)
        test::enter_without_reaping();
    if (when == moment::ready)
        co_await test::until_one_is_ready();
}

class a_dropped_file_operation : public ::testing::TestWithParam<moment> {};

TEST_P(a_dropped_file_operation, that_opens_leaves_no_descriptor) {
    const auto main = [](moment when) -> task<> {
        const scratch place;
        const directory root = directory::open(place.root());
        const std::size_t before = test::open_descriptors();
        for (int round = 0; round < 20; ++round) {
            auto dropped = spawn(open_file(root));
            co_await reach(when);
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

TEST_P(a_dropped_file_operation, that_reads_into_its_own_memory_frees_it_when_it_is_over) {
    const auto main = [](moment when) -> task<> {
        const scratch place;
        const directory root = directory::open(place.root());
        const file opened = co_await root.open_file("file");
        const auto before = detail::frame_cache::live_blocks();
        for (int round = 0; round < 20; ++round) {
            auto dropped = spawn(read_owned(opened));
            co_await reach(when);
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            if (when == moment::begun) {
                EXPECT_EQ(detail::frame_cache::live_blocks(), before + 1) << "the system may write there yet";
            }
            while (detail::frame_cache::live_blocks() != before)
                co_await test::turns(1);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(file, a_dropped_file_operation,
                         ::testing::Values(moment::begun, moment::posted, moment::ready),
                         [](const auto& instance) { return test::to_string(instance.param); });

// -- while the system is at it --

task<> read_into(const file& from, std::uint64_t offset, std::span<std::byte> into) {
    co_await from.read_at(into, offset);
}
task<> read_own(const file& from, std::uint64_t offset) {
    static_cast<void>(co_await from.read_owned_at(offset, slow_file::size));
}
file open_slow_file() {
    return file(detail::owned_descriptor(detail::worker_core::current().backend(), slow_file::open()));
}
constexpr int tries = 8;
/// How long the system gets to bring a race about, on a machine that has other things to do.
constexpr auto patience = std::chrono::seconds(60);

TEST(a_dropped_file_read, into_borrowed_memory_waits_until_the_system_is_done_with_it) {
    const auto main = []() -> task<> {
        const file opened = open_slow_file();
        int waited = 0;
        const auto deadline = clock::now() + patience;
        for (int attempt = 0; attempt < tries || (waited == 0 && clock::now() < deadline); ++attempt) {
            const slow_file source;
            std::vector<std::byte> into(slow_file::size, std::byte{0x11});
            const std::vector<std::byte> zeros(slow_file::size);
            auto dropped = spawn(read_into(opened, source.offset(), into));
            co_await test::turns(1);
            EXPECT_TRUE(source.wait_until_begun());
            if (dropped.done())  // this thread had to wait so long that the read is over
                continue;
            waited += source.has_ended() ? 0 : 1;
            dropped.cancel();
            EXPECT_TRUE(source.has_ended()) << "the system is at it still";
            EXPECT_TRUE(std::memcmp(into.data(), zeros.data(), into.size()) == 0);
        }
        EXPECT_GT(waited, 0) << "each read was over: the system has made this test pointless";
    };
    test::run_bounded(main());
}

TEST(a_dropped_file_read, into_its_own_memory_neither_waits_nor_enters_the_kernel) {
    const auto main = []() -> task<> {
        const file opened = open_slow_file();
        io::backend& backend = detail::worker_core::current().backend();
        const auto blocks = detail::frame_cache::live_blocks();
        const auto others = backend.count_under_way();
        int was_under_way = 0;
        const auto deadline = clock::now() + patience;
        for (int attempt = 0; attempt < tries || (was_under_way == 0 && clock::now() < deadline); ++attempt) {
            const slow_file source;
            auto dropped = spawn(read_own(opened, source.offset()));
            co_await test::turns(1);
            EXPECT_TRUE(source.wait_until_begun());
            if (dropped.done())
                continue;
            const auto entries = test::backend_metrics().kernel_entries;
            dropped.cancel();
            was_under_way += source.has_ended() ? 0 : 1;
            EXPECT_EQ(test::backend_metrics().kernel_entries, entries) << "the kernel was asked";
            EXPECT_EQ(backend.count_under_way(), others + 1);
            EXPECT_GT(detail::frame_cache::live_blocks(), blocks) << "the system writes there still";
            co_await test::turns_until([&] { return backend.count_under_way() == others; });
            EXPECT_TRUE(source.has_ended());
        }
        EXPECT_GT(was_under_way, 0) << "each read was over: the system has made this test pointless";
    };
    test::run_bounded(main());
}

TEST(a_read_at, into_memory_of_its_own_gives_what_the_file_holds) {
    const auto main = []() -> task<> {
        const scratch place;
        const directory root = directory::open(place.root());
        const file opened = co_await root.open_file("file");
        const owned_bytes got = co_await opened.read_owned_at(99'990, 100);
        EXPECT_EQ(got.size(), 10u);
        EXPECT_TRUE(std::ranges::all_of(got.bytes(), [](std::byte each) { return each == std::byte{'f'}; }));
        EXPECT_TRUE((co_await opened.read_owned_at(100'000, 10)).empty());
        const file itself = co_await root.open_file(".");
        const auto refused = co_await as_result(itself.read_owned_at(0, 100));
        EXPECT_FALSE(refused.has_value());
        if (!refused) {
            EXPECT_EQ(refused.error(), std::errc::is_a_directory);
        }
    };
    test::run_bounded(main());
}

}  // namespace
}  // namespace eddy::file_test
