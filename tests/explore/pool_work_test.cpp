#include "runtime/pool_work.hpp"

#include "explore/explorer.hpp"

#include <eddy/detail/atomic.hpp>
#include <eddy/io/detail/blocking_executor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

// The work of the offload pool, taken by threads that have all been started.

namespace eddy::explore::pool_work_test {
namespace {

class started_pool final : public detail::pool_work {
public:
    using pool_work::pool_work;

private:
    void start_another() noexcept override {}
};

struct office;

struct errand : io::blocking_item {
    explicit errand(office& shared, void (*work)(office&) = nullptr) noexcept
        : blocking_item(&carry_out), where(shared), body(work) {}
    static void carry_out(io::blocking_item& item) noexcept;
    office& where;
    void (*body)(office&);
    detail::atomic<bool> is_done{false};
};

/// A pool of two threads, one of which may have long work, with room for one piece. It ends with the last
/// errand.
struct office {
    explicit office(int errands) : left(errands) {}
    started_pool pool{2, 1, 1};
    detail::atomic<int> left;
};

void errand::carry_out(io::blocking_item& item) noexcept {
    auto& self = static_cast<errand&>(item);
    if (self.body != nullptr)
        self.body(self.where);
    EXPLORE_CHECK(!self.is_done.exchange(true));
    if (self.where.left.fetch_sub(1) == 1)
        self.where.pool.end();
}

void wait_for(const detail::atomic<bool>& flag) {
    for (unsigned looks = 0; !flag.load(); ++looks)
        detail::relax(looks);
}

template <std::size_t Index, class Office>
void live(Office& shared) {
    shared.pool.live(shared.pool.thread(Index));
}

struct two_errands : office {
    two_errands() : office(2) {}
    std::array<errand, 2> errands{errand(*this), errand(*this)};
};

template <work_kind Kind>
void submit_both(two_errands& shared) {
    for (errand& each : shared.errands)
        shared.pool.submit(each, Kind, true);
}

TEST(pool_work, that_is_submitted_is_done_though_there_is_room_for_one_only) {
    const result found =
        explore<two_errands>(settings("a thread of the pool and who submits").preemptions(3),
                             {&live<0, two_errands>, &submit_both<work_kind::short_running>});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(pool_work, of_two_threads_takes_short_work) {
    const result found = explore<two_errands>(
        settings("two threads of the pool and short work").preemptions(2),
        {&live<0, two_errands>, &live<1, two_errands>, &submit_both<work_kind::short_running>});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(pool_work, of_two_threads_takes_long_work) {
    const result found = explore<two_errands>(
        settings("two threads of the pool and long work").preemptions(2),
        {&live<0, two_errands>, &live<1, two_errands>, &submit_both<work_kind::long_running>});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The second long piece may begin once the first has ended. The thread that ran that takes a short one instead,
// which ends with the second long one only.
struct long_work_behind_short : office {
    long_work_behind_short() : office(3) {
        pool.thread(1).looks = 14;  // the look that decides whether it sleeps is at long work first
        pool.post(first_long, work_kind::long_running, true);
        pool.post(second_long, work_kind::long_running, true);
    }
    detail::atomic<bool> is_short_posted{false};
    errand first_long{*this, [](office& shared) {
                          wait_for(static_cast<long_work_behind_short&>(shared).is_short_posted);
                      }};
    errand second_long{*this};
    errand short_one{*this, [](office& shared) {
                         wait_for(static_cast<long_work_behind_short&>(shared).second_long.is_done);
                     }};
};

void post_the_short_one(long_work_behind_short& shared) {
    shared.pool.post(shared.short_one, work_kind::short_running, true);
    shared.is_short_posted.store(true);
}

TEST(pool_work, a_thread_that_goes_on_with_short_work_calls_another_for_long_work) {
    const result found = explore<long_work_behind_short>(
        settings("long work behind short work").preemptions(2),
        {&live<0, long_work_behind_short>, &live<1, long_work_behind_short>, &post_the_short_one});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::pool_work_test
