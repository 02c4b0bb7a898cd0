#include "load/load_result.hpp"

namespace eddy::apps {

void load_result::add(const load_result& other) {
    answered += other.answered;
    unanswered += other.unanswered;
    received_bytes += other.received_bytes;
    sent_bytes += other.sent_bytes;
    connections_made += other.connections_made;
    latency.add(other.latency);
    service_time.add(other.service_time);
    for (const auto& [status, count] : other.statuses)
        statuses[status] += count;
    for (const auto& [text, count] : other.errors)
        errors[text] += count;
}

std::uint64_t load_result::failed() const noexcept {
    std::uint64_t count = 0;
    for (const auto& [text, each] : errors)
        count += each;
    return count;
}

}  // namespace eddy::apps
