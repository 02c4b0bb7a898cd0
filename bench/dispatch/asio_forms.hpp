#pragma once

#include "dispatch/counting.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace bench {

// One increment by a function.
struct asio_callbacks {
    template <class Counter>
    static void submit(boost::asio::io_context& context, Counter& counter) {
        boost::asio::post(context, [&counter] { increment(counter); });
    }
};

// One increment by a coroutine.
struct asio_coroutines {
    template <class Counter>
    static void submit(boost::asio::io_context& context, Counter& counter) {
        boost::asio::co_spawn(context, increment_task(counter), boost::asio::detached);
    }

private:
    template <class Counter>
    static boost::asio::awaitable<void> increment_task(Counter& counter) {
        increment(counter);
        co_return;
    }
};

}  // namespace bench
