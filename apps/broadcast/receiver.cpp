#include "broadcast/receiver.hpp"

#include <utility>

namespace eddy::apps {

void receiver::offer(const shared_line& said) {
    if (is_finished_ || dismissal_.is_set())
        return;
    if (lines_.size() == lines_max_) {
        if (policy_ == slow_policy::disconnect) {
            figures_.shown_out.fetch_add(1, std::memory_order_relaxed);
            dismissal_.set();
            return;
        }
        lines_.pop_front();
        figures_.dropped.fetch_add(1, std::memory_order_relaxed);
    }
    lines_.push_back(said);
    has_news_.set();
}

task<> receiver::take(std::vector<shared_line>& out, std::size_t count_max) {
    while (lines_.empty() && !is_finished_)
        co_await has_news_.wait();
    while (!lines_.empty() && out.size() < count_max) {
        out.push_back(std::move(lines_.front()));
        lines_.pop_front();
    }
    figures_.delivered.fetch_add(out.size(), std::memory_order_relaxed);
}

}  // namespace eddy::apps
