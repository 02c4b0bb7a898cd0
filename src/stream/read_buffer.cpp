#include <eddy/stream/detail/read_buffer.hpp>

#include <algorithm>
#include <utility>

namespace eddy::detail {

std::span<std::byte> read_buffer::make_room() {
    const std::size_t held = size();
    // A tail of some size is used as it is, so that bytes are not moved for the sake of a few.
    if (held != 0 && capacity_ - end_ >= capacity_ / 4 && end_ != capacity_)
        return {memory_.get() + end_, capacity_ - end_};
    if (capacity_ == 0 || held > capacity_ / 2) {
        const std::size_t capacity = std::max(capacity_first_, capacity_ * 2);
        auto memory = std::make_unique_for_overwrite<std::byte[]>(capacity);
        std::copy_n(memory_.get() + begin_, held, memory.get());
        memory_ = std::move(memory);
        capacity_ = capacity;
    } else {
        std::copy_n(memory_.get() + begin_, held, memory_.get());
    }
    begin_ = 0;
    end_ = held;
    return {memory_.get() + end_, capacity_ - end_};
}

}  // namespace eddy::detail
