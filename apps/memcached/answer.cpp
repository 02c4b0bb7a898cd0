#include "memcached/answer.hpp"

namespace eddy::apps::memcached {

void answer::append_value(item& stored, shard& home) {
    const std::string_view line = stored.value_line();
    if (line.size() <= copied_bytes_max) [[likely]]
        return append(line);
    values_.push_back({&stored, &home, size_});
    shard::retain(stored);
}

std::span<const_buffer> answer::parts() {
    parts_.clear();
    std::size_t begin = 0;
    for (const held_value& value : values_) {
        if (value.text_before != begin)
            parts_.emplace_back(text().substr(begin, value.text_before - begin));
        begin = value.text_before;
        parts_.emplace_back(value.stored->value_line());
    }
    if (begin != size_)
        parts_.emplace_back(text().substr(begin));
    return parts_;
}

void answer::clear() noexcept {
    size_ = 0;
    for (const held_value& value : values_) {
        const auto held = value.home->lock();
        value.home->release(*value.stored);
    }
    values_.clear();
}

}  // namespace eddy::apps::memcached
