#pragma once

#include <eddy/core/as_result.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <new>
#include <utility>

namespace eddy::apps {

/// Calls `serve`, which stays where it is meanwhile, with each client of a listener, until it is dropped.
/// Rests for a while when memory or descriptors are out, for accepting or, by std::bad_alloc, for serving:
/// clients that leave make room. A client that cannot be served is hung up on.
template <class Listener, class Function>
task<> for_each_client(Listener& from, const Function& serve) {
    for (;;) {
        auto client = co_await as_result(from.accept());
        if (client) {
            try {
                serve(std::move(*client));
                continue;
            } catch (const std::bad_alloc&) {
                // The client went with the call.
            }
        }
        co_await sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace eddy::apps
