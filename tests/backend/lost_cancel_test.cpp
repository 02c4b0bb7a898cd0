// A cancellation that the system answers with "too late" changes nothing of what withdraw promises.

#include "backend/backend_fixture.hpp"
#include "support/slow_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <linux/io_uring.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace eddy::testing::lost_cancel_test {
namespace {

using test::slow_file;

class lost_cancel_test : public backend_test {
protected:
    void SetUp() override {
        backend_test::SetUp();
        file_ = slow_file::open();
    }
    void TearDown() override {
        backend().close(file_);
        backend_test::TearDown();
    }

    /// Begins a read of the slow file into `into`, with the system.
    std::unique_ptr<recorded> begin(const slow_file& source, std::vector<char>& into) {
        auto reading = std::make_unique<recorded>(io::opcode::read_at, file_, into.data(), into.size());
        reading->offset = source.offset();
        backend().submit(*reading);
        backend().turn(duration::zero());
        return reading;
    }
    [[nodiscard]] bool is_on_io_uring() { return std::string_view(backend().name()) == "io_uring"; }

    int file_ = -1;
};

/// The submission entries of the rings of this process, which their user shares with the kernel
/// (io_uring(7)).
class shared_entries {
public:
    shared_entries() {
        for (const auto& descriptor : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code is_gone;
            if (std::filesystem::read_symlink(descriptor, is_gone) != "anon_inode:[io_uring]")
                continue;
            void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                        std::stoi(descriptor.path().filename()), IORING_OFF_SQES);
            EXPECT_NE(mapped, MAP_FAILED);
            if (mapped != MAP_FAILED)
                mapped_.push_back(static_cast<io_uring_sqe*>(mapped));
        }
    }
    shared_entries(const shared_entries&) = delete;
    shared_entries& operator=(const shared_entries&) = delete;
    ~shared_entries() {
        for (io_uring_sqe* const entries : mapped_)
            ::munmap(entries, bytes);
    }

    /// Lets a cancellation that is not submitted yet look for something else. Returns how many there were.
    [[nodiscard]] int misdirect_cancellations_of(const io::operation& ended) const {
        int found = 0;
        for (io_uring_sqe* const entries : mapped_)
            for (std::size_t at = 0; at < count; ++at)
                if (entries[at].opcode == IORING_OP_ASYNC_CANCEL &&
                    entries[at].addr == reinterpret_cast<std::uintptr_t>(&ended)) {
                    entries[at].addr = 0;
                    ++found;
                }
        return found;
    }

    static constexpr std::size_t count = 64;  ///< of a ring with so many entries

private:
    static constexpr std::size_t bytes = count * sizeof(io_uring_sqe);
    std::vector<io_uring_sqe*> mapped_;
};

TEST_F(lost_cancel_test, a_cancellation_that_does_not_find_what_it_is_for_is_repeated) {
    make_backend(io::backend_options().queue_entries(shared_entries::count));
    connection made = connect();
    char byte = '#';
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    backend().submit(receiving);
    backend().turn(duration::zero());
    backend().cancel(receiving);
    const shared_entries entries;
    EXPECT_EQ(entries.misdirect_cancellations_of(receiving), is_on_io_uring() ? 1 : 0);
    turn_until([&] { return receiving.has_ended(); });
    EXPECT_EQ(receiving.result(), -ECANCELED);
    EXPECT_EQ(receiving.outcomes.size(), 1U);
    backend().close(made.near);
}

constexpr int tries = 8;
/// How often a race is tried that the system decides, until it has ended each way.
constexpr int tries_max = 3000;
constexpr char untouched = '#';

// Quick without optimisation, too.
bool is_all(const std::vector<char>& bytes, char value) {
    return bytes.front() == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

// The kernel answers a cancellation of what one of its threads is at by EALREADY: it then enters once for the
// cancellation and again for the operation.
TEST_F(lost_cancel_test, a_read_that_the_system_is_at_is_waited_for) {
    int lost = 0;
    for (int attempt = 0; attempt < tries || (lost == 0 && attempt < tries_max); ++attempt) {
        const slow_file source;
        std::vector<char> into(slow_file::size, untouched);
        auto reading = begin(source, into);
        ASSERT_TRUE(source.wait_until_begun());
        if (reading->is_idle())  // this thread had to wait so long that the read is over
            continue;
        const bool is_under_way = !source.has_ended();
        const auto entries = backend().metrics().kernel_entries;
        const int result = backend().withdraw(*reading);
        const auto entered = backend().metrics().kernel_entries - entries;
        EXPECT_TRUE(source.has_ended()) << "the system is at it still";
        EXPECT_TRUE(reading->is_idle());
        EXPECT_TRUE(reading->outcomes.empty());
        EXPECT_EQ(result, static_cast<int>(into.size()));
        EXPECT_TRUE(is_all(into, 0));
        lost += is_under_way && (entered > 1 || !is_on_io_uring()) ? 1 : 0;
        into.assign(into.size(), untouched);
        reading.reset();
        backend().turn(duration::zero());
        EXPECT_TRUE(is_all(into, untouched));
    }
    EXPECT_GT(lost, 0) << "no cancellation came too late: the system has made this test pointless";
}

// And that of what has ended, but is not reported, by ENOENT.
TEST_F(lost_cancel_test, a_read_that_has_ended_unreported_gives_its_result) {
    int unreported = 0;
    for (int attempt = 0; attempt < tries || (unreported == 0 && attempt < tries_max); ++attempt) {
        const slow_file source;
        std::vector<char> into(slow_file::size, untouched);
        auto reading = begin(source, into);
        ASSERT_TRUE(source.wait_until_ended());
        if (reading->is_idle())
            continue;
        const auto entries = backend().metrics().kernel_entries;
        EXPECT_EQ(backend().withdraw(*reading), static_cast<int>(into.size()));
        unreported += backend().metrics().kernel_entries != entries || !is_on_io_uring() ? 1 : 0;
        EXPECT_TRUE(reading->is_idle());
        EXPECT_TRUE(reading->outcomes.empty());
        EXPECT_TRUE(is_all(into, 0));
    }
    EXPECT_GT(unreported, 0) << "each end was reported at once: the system has made this test pointless";
}

TEST_F(lost_cancel_test, a_cancelled_read_that_the_system_is_at_ends_once_with_its_result) {
    for (int attempt = 0; attempt < tries; ++attempt) {
        const slow_file source;
        std::vector<char> into(slow_file::size, untouched);
        auto reading = begin(source, into);
        ASSERT_TRUE(source.wait_until_begun());
        if (reading->is_idle())  // this thread had to wait so long that the read is over
            continue;
        backend().cancel(*reading);
        EXPECT_FALSE(reading->is_idle()) << "cancelling reports nothing by itself";
        turn_until([&] { return reading->has_ended(); });
        EXPECT_TRUE(source.has_ended());
        EXPECT_EQ(reading->outcomes.size(), 1U);
        EXPECT_EQ(reading->result(), static_cast<int>(into.size()));
    }
}

// The kernel carries a shutdown out on a thread of its own, with which the cancellation races.
TEST_F(lost_cancel_test, a_shutdown_that_races_with_its_end_is_told_apart) {
    int happened = 0;
    for (int attempt = 0; attempt < 200 || (happened == 0 && attempt < tries_max); ++attempt) {
        connection made = connect();
        recorded ending(io::opcode::shutdown, made.near);
        ending.size = 1;
        backend().submit(ending);
        backend().turn(duration::zero());
        // The head start grows, until it is enough.
        for (int step = 0; step < 25 * attempt; ++step)
            static_cast<void>(::getppid());
        const int result = ending.is_idle() ? ending.result() : backend().withdraw(ending);
        EXPECT_TRUE(result == 0 || result == -ECANCELED) << result;
        EXPECT_EQ(send(made.near, "x"), result == 0 ? -EPIPE : 1);
        happened += result == 0 ? 1 : 0;
        backend().close(made.near);
    }
    EXPECT_GT(happened, 0) << "no shutdown was won: the system has made this test pointless";
}

}  // namespace
}  // namespace eddy::testing::lost_cancel_test
