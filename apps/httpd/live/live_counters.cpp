#include "httpd/live/live_counters.hpp"

#include <eddy/http/message/status.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

namespace eddy::apps {

void live_counters::note(http::exchange& answered) {
    ++share_.requests;
    if (answered.request().major_version() == 2)
        ++share_.http2_requests;
    share_.body_bytes += answered.body_bytes();
    const unsigned digit = http::to_number(answered.response_status()) / 100;
    ++share_.answers[std::clamp(digit, 1U, 5U) - 1];
    // A connection that was taken over has no limit on its duration.
    if (answered.response_status() != http::status::switching_protocols)
        share_.latency.add(std::chrono::steady_clock::now() - answered.began_at());
}

live_share live_counters::take(std::size_t connections) {
    const duration busy_now = thread_time();
    share_.busy = busy_now - std::exchange(busy_before_, busy_now);
    share_.connections = connections;
    return std::exchange(share_, {});
}

duration live_counters::thread_time() noexcept {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
}

}  // namespace eddy::apps
