#include <eddy/stream/detail/write_buffer.hpp>

#include <algorithm>

namespace eddy::detail {

void write_buffer::append(std::span<const std::byte> bytes) {
    EDDY_ASSERT(bytes.size() <= room(), "what is appended fits");
    if (memory_ == nullptr)
        memory_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
    if (bytes.size() > capacity_ - end_) {
        std::copy_n(memory_.get() + begin_, size(), memory_.get());
        end_ -= begin_;
        begin_ = 0;
    }
    std::ranges::copy(bytes, memory_.get() + end_);
    end_ += bytes.size();
}

}  // namespace eddy::detail
