#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/file_lock.hpp>
#include <eddy/fs/names.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace eddy::file_lock_test {
namespace {

using enum io::file_lock_kind;
using test::run_bounded;
using test::scratch_directory;

/// Whether somebody else could lock the file so now, as another program would.
bool is_free(const std::string& path, int wanted) {
    const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool is_locked = ::flock(opened, wanted | LOCK_NB) == 0;
    ::close(opened);
    return is_locked;
}

TEST(file_lock, keeps_others_off_until_it_goes) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        std::optional<file> opened(co_await fs::open(place.at("file")));
        {
            const file_lock held = co_await fs::lock(*opened);
            opened.reset();  // it is not needed any more
            EXPECT_FALSE(is_free(place.at("file"), LOCK_SH));
        }
        EXPECT_TRUE(is_free(place.at("file"), LOCK_EX));
    }());
}

TEST(file_lock, is_shared_by_readers) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        const file first = co_await fs::open(place.at("file"));
        const file second = co_await fs::open(place.at("file"));
        std::optional<file_lock> reading(co_await fs::lock(first, shared));
        const std::optional<file_lock> also_reading = co_await fs::try_lock(second, shared);
        EXPECT_TRUE(also_reading.has_value());
        EXPECT_TRUE(is_free(place.at("file"), LOCK_SH));
        EXPECT_FALSE(is_free(place.at("file"), LOCK_EX));
        reading.reset();
        EXPECT_FALSE(is_free(place.at("file"), LOCK_EX));
    }());
}

TEST(file_lock, is_waited_for) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        place.write("file", "");
        const file first = co_await fs::open(place.at("file"));
        const file second = co_await fs::open(place.at("file"));
        std::optional<file_lock> held(co_await fs::lock(first));
        const std::optional<file_lock> none = co_await fs::try_lock(second);
        EXPECT_FALSE(none.has_value());
        bool is_locked = false;
        auto waiting = spawn([](const file& wanted, bool& got) -> task<> {
            const file_lock mine = co_await fs::lock(wanted);
            got = true;
        }(second, is_locked));
        for (int turn = 0; turn < 100; ++turn)
            co_await yield();
        EXPECT_FALSE(is_locked);
        held.reset();
        co_await waiting;
        EXPECT_TRUE(is_locked);
    }());
}

TEST(file_lock, is_not_held_by_a_wait_that_was_dropped) {
    const scratch_directory place;
    place.write("file", "");
    const std::size_t before = test::open_descriptors();
    for (int turns = 0; turns < 20; ++turns) {
        run_bounded([](const scratch_directory& where, int count) -> task<> {
            const file opened = co_await fs::open(where.at("file"));
            auto waiting = spawn(fs::lock(opened));
            for (int turn = 0; turn < count; ++turn)
                co_await yield();
            waiting.cancel();
        }(place, turns));
        EXPECT_TRUE(is_free(place.at("file"), LOCK_EX));
        EXPECT_EQ(test::open_descriptors(), before);
    }
}

}  // namespace
}  // namespace eddy::file_lock_test
