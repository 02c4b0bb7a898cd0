#pragma once

#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <semaphore>
#include <utility>

// What happens between two workers to one that waits for a primitive.

namespace eddy::test {

/// What is shared between the two workers, owned by both.
template <class Primitive>
struct crossing {
    template <class... Args>
    explicit crossing(Args... arguments) : shared(arguments...) {}

    Primitive shared;
    std::binary_semaphore waits{0};
    std::binary_semaphore released{0};
};

template <class Primitive>
using waiting_function = task<> (*)(Primitive&);
template <class Primitive>
using changing_function = void (*)(Primitive&);

/// Its worker stands still between the waiter's beginning and its drop, so that the news of the release lies
/// in the inbox meanwhile.
template <class Primitive>
task<> drop_with_the_news_under_way(std::shared_ptr<crossing<Primitive>> both,
                                    waiting_function<Primitive> wait, changing_function<Primitive> look) {
    auto waiting = spawn(wait(both->shared));
    co_await yield();
    both->waits.release();
    both->released.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
    look(both->shared);
}

template <class Primitive>
task<> release_and_drop(std::shared_ptr<crossing<Primitive>> both, waiting_function<Primitive> wait,
                        changing_function<Primitive> release, changing_function<Primitive> look) {
    auto there = runtime::current().spawn_on(1, drop_with_the_news_under_way(both, wait, look));
    both->waits.acquire();
    release(both->shared);
    both->released.release();
    co_await there;
}

/// Worker 0 releases who waits on worker 1, where it is dropped before it has heard of that; looks at the
/// primitive afterwards.
template <class Primitive, class... Args>
void drop_released_elsewhere(waiting_function<Primitive> wait, changing_function<Primitive> release,
                             changing_function<Primitive> look, Args... arguments) {
    const auto both = std::make_shared<crossing<Primitive>>(arguments...);
    run_bounded(release_and_drop(both, wait, release, look), runtime_options().workers(2));
}

/// The primitive lives where the only one to wait for it goes on.
template <class Primitive>
task<> wait_and_destroy(std::unique_ptr<Primitive> owned, waiting_function<Primitive> wait) {
    co_await wait(*owned);
    owned.reset();
}

template <class Primitive, class... Args>
task<> release_while_it_is_destroyed(waiting_function<Primitive> wait, changing_function<Primitive> release,
                                     int times, Args... arguments) {
    for (int time = 0; time < times; ++time) {
        auto owned = std::make_unique<Primitive>(arguments...);
        Primitive& shared = *owned;
        auto there = runtime::current().spawn_on(1, wait_and_destroy(std::move(owned), wait));
        co_await turns(time % 4);  // it has not begun to wait, or waits
        release(shared);
        co_await there;
    }
}

/// The waiter on worker 1 destroys the primitive right after its wait, while worker 0 is still releasing it.
template <class Primitive, class... Args>
void destroy_right_after_the_wait(waiting_function<Primitive> wait, changing_function<Primitive> release,
                                  Args... arguments) {
    constexpr int times = 2000;
    run_bounded(release_while_it_is_destroyed(wait, release, times, arguments...),
                runtime_options().workers(2));
}

}  // namespace eddy::test
