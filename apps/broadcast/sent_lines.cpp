#include "broadcast/sent_lines.hpp"

#include <algorithm>
#include <utility>

namespace eddy::apps {

void sent_lines::add(shared_line said) {
    lines_.push_back(std::move(said));
    if (lines_.size() <= lines_max_)
        return;
    lines_.pop_front();
    ++first_;
    if (next_ < first_) {
        next_ = first_;
        ++lost_;
    }
}

shared_line sent_lines::find(std::uint64_t number) const {
    if (number < first_ || number - first_ >= lines_.size())
        return nullptr;
    return lines_[number - first_];
}

void sent_lines::note_sent_before(std::uint64_t number) noexcept {
    next_ = std::max(next_, number);
}

}  // namespace eddy::apps
