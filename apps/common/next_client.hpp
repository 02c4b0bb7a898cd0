#pragma once

#include <eddy/core/as_result.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <utility>

namespace eddy::apps {

/// The next client of a listener. Rests for a while when memory is out: clients that leave make room.
template <class Listener>
auto next_client(Listener& from) -> task<await_result_t<decltype(from.accept())>> {
    for (;;) {
        auto client = co_await as_result(from.accept());
        if (client)
            co_return std::move(*client);
        co_await sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace eddy::apps
