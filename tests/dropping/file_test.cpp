// What dropping does to the opening and the reading of files.

#include "support/descriptors.hpp"
#include "support/drop_moments.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/fs/folder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace eddy {
namespace {

using test::moment;

/// A folder with one file, gone with the test.
class scratch {
public:
    scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "eddy-drop-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        root = name;
        std::ofstream(root + "/file") << std::string(100'000, 'f');
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() { std::filesystem::remove_all(root); }

    std::string root;
};

task<> open_file(const folder& root) {
    static_cast<void>(co_await root.open_file("file"));
}
task<> read_owned(const file& from) {
    static_cast<void>(co_await from.read_at(0, 50'000));
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
        const folder root = folder::open(place.root);
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
        const folder root = folder::open(place.root);
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

TEST(a_read_at, into_memory_of_its_own_gives_what_the_file_holds) {
    const auto main = []() -> task<> {
        const scratch place;
        const folder root = folder::open(place.root);
        const file opened = co_await root.open_file("file");
        const owned_bytes got = co_await opened.read_at(99'990, 100);
        EXPECT_EQ(got.size(), 10u);
        EXPECT_TRUE(std::ranges::all_of(got.bytes(), [](std::byte each) { return each == std::byte{'f'}; }));
        EXPECT_TRUE((co_await opened.read_at(100'000, 10)).empty());
        const file itself = co_await root.open_file(".");
        const auto refused = co_await as_result(itself.read_at(0, 100));
        EXPECT_FALSE(refused.has_value());
        if (!refused) {
            EXPECT_EQ(refused.error(), std::errc::is_a_directory);
        }
    };
    test::run_bounded(main());
}

}  // namespace
}  // namespace eddy
