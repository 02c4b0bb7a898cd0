#include "common/heap.hpp"

#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/ticker.hpp>

#include <chrono>
#include <cstddef>
#include <malloc.h>

namespace eddy::apps {

task<> trim_heap() {
    constexpr auto interval = std::chrono::seconds(10);
    constexpr std::size_t kept_bytes = 256 * 1024;
    ticker ticks(interval);
    for (;;) {
        co_await ticks.next();
        co_await offload(&malloc_trim, kept_bytes);
    }
}

}  // namespace eddy::apps
