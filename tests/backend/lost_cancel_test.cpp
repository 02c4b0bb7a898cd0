// A cancellation that the system answers with "too late" changes nothing of what withdraw promises.

#include "backend/backend_fixture.hpp"
#include "support/slow_file.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace eddy::testing {
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

constexpr int tries = 8;
/// How long the system gets to bring a race about, on a machine that has other things to do.
constexpr auto patience = 60s;
constexpr char untouched = '#';

// Quick without optimisation, too.
bool is_all(const std::vector<char>& bytes, char value) {
    return bytes.front() == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

// The kernel answers a cancellation of what one of its threads is at by EALREADY: it then enters once for the
// cancellation and again for the operation.
TEST_F(lost_cancel_test, a_read_that_the_system_is_at_is_waited_for) {
    int lost = 0;
    const auto deadline = clock::now() + patience;
    for (int attempt = 0; attempt < tries || (lost == 0 && clock::now() < deadline); ++attempt) {
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
    const auto deadline = clock::now() + patience;
    for (int attempt = 0; attempt < tries || (unreported == 0 && clock::now() < deadline); ++attempt) {
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
    const auto deadline = clock::now() + patience;
    for (int attempt = 0; attempt < 200 || (happened == 0 && clock::now() < deadline); ++attempt) {
        connection made = connect();
        recorded ending(io::opcode::shutdown, made.near);
        ending.size = 1;
        backend().submit(ending);
        backend().turn(duration::zero());
        // The head start grows, until it is enough.
        const auto start = clock::now();
        while (clock::now() - start < attempt * 5us) {
        }
        const int result = ending.is_idle() ? ending.result() : backend().withdraw(ending);
        EXPECT_TRUE(result == 0 || result == -ECANCELED) << result;
        EXPECT_EQ(send(made.near, "x"), result == 0 ? -EPIPE : 1);
        happened += result == 0 ? 1 : 0;
        backend().close(made.near);
    }
    EXPECT_GT(happened, 0) << "no shutdown was won: the system has made this test pointless";
}

}  // namespace
}  // namespace eddy::testing
