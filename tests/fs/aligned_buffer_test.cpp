#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/fs/aligned_buffer.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/io/buffer.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::aligned_buffer_test {
namespace {

using test::run_bounded;
using test::scratch_directory;

std::uintptr_t address_of(const aligned_buffer& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.bytes().data());
}

TEST(aligned_buffer, begins_and_ends_at_a_multiple) {
    for (const std::size_t size : {1, 4096, 5000})
        for (const std::size_t alignment : {512, 4096, 65536}) {
            const aligned_buffer made(size, alignment);
            EXPECT_EQ(address_of(made) % alignment, 0U);
            EXPECT_EQ(made.size() % alignment, 0U);
            EXPECT_GE(made.size(), size);
        }
}

TEST(aligned_buffer, moves) {
    aligned_buffer first(100);
    const std::uintptr_t at = address_of(first);
    aligned_buffer second(std::move(first));
    EXPECT_EQ(address_of(second), at);
    aligned_buffer third(1);
    third = std::move(second);
    EXPECT_EQ(address_of(third), at);
    EXPECT_EQ(third.size(), 4096U);
}

TEST(aligned_buffer, is_read_into_past_the_page_cache) {
    const auto reads_directly = []() -> task<bool> {
        const scratch_directory place;
        const std::string content(100'000, 'd');
        place.write("file", content);
        auto opened = co_await as_result(fs::open(place.at("file"), open_options().direct()));
        if (!opened && opened.error() == std::errc::invalid_argument)
            co_return false;
        EXPECT_TRUE(opened.has_value());
        aligned_buffer room(1 << 17);
        EXPECT_EQ(co_await opened->read_at(room.bytes(), 0), content.size());
        EXPECT_EQ(as_text(room.bytes().first(content.size())), content);
        EXPECT_EQ(co_await opened->read_at(room.bytes().first(4096), 8192), 4096U);
        EXPECT_EQ(co_await opened->read_at(room.bytes(), 1 << 17), 0U);
        const auto odd = co_await as_result(opened->read_at(room.bytes().subspan(1, 4096), 0));
        EXPECT_EQ(odd.error(), std::errc::invalid_argument);
        co_return true;
    };
    if (!run_bounded(reads_directly()))
        GTEST_SKIP() << "[direct-io] this file system has no direct reads";
}

}  // namespace
}  // namespace eddy::aligned_buffer_test
