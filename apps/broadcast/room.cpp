#include "broadcast/room.hpp"

#include <algorithm>

namespace eddy::apps {

room::stay::stay(room& joined, receiver& who) : room_(joined), who_(who) {
    room_.receivers_.push_back(&who_);
    if (room_.is_finished_)
        who_.finish();
}

room::stay::~stay() {
    auto& all = room_.receivers_;
    *std::ranges::find(all, &who_) = all.back();
    all.pop_back();
}

void room::deliver(const shared_line& said, const receiver* speaker) {
    for (receiver* const each : receivers_) {
        if (each != speaker)
            each->offer(said);
    }
}

void room::finish() noexcept {
    is_finished_ = true;
    for (receiver* const each : receivers_)
        each->finish();
}

}  // namespace eddy::apps
