#include "common/heap.hpp"

#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/ticker.hpp>

#include <chrono>
#include <cstddef>
#include <malloc.h>

namespace eddy::apps {

namespace {

// By default malloc raises both by what it has seen, up to 32 MiB and twice that. Then each thread that
// compresses keeps megabytes for ever: malloc_trim() cuts off only the end of the first thread's heap.
void limit_what_is_kept() noexcept {
    constexpr int bytes_max = 512 * 1024;
    mallopt(M_MMAP_THRESHOLD, bytes_max);
    mallopt(M_TRIM_THRESHOLD, bytes_max);
}

}  // namespace

task<> trim_heap() {
    constexpr auto interval = std::chrono::seconds(10);
    constexpr std::size_t kept_bytes = 256 * 1024;
    limit_what_is_kept();
    ticker ticks(interval);
    for (;;) {
        co_await ticks.next();
        co_await offload(&malloc_trim, kept_bytes);
    }
}

}  // namespace eddy::apps
