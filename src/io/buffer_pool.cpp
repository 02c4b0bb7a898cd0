#include <eddy/io/buffer_pool.hpp>

#include <algorithm>
#include <new>

namespace eddy::io {

namespace {
constexpr std::size_t page_size = 4096;
}

buffer_pool::buffer_pool(std::size_t buffer_size, std::size_t buffers_max)
    : buffer_size_(std::max<std::size_t>(buffer_size, 64)),
      buffers_max_(std::max<std::size_t>(buffers_max, 1)) {}

void buffer_pool::free_chunk::operator()(std::byte* chunk) const noexcept {
    ::operator delete(chunk, std::align_val_t{alignment});
}

buffer_pool::index buffer_pool::grow() noexcept {
    const std::size_t first = slots_.size();
    const std::size_t added = std::min(chunk_buffers, buffers_max_ - first);
    if (added == 0)
        return none;
    try {
        std::unique_ptr<std::byte, free_chunk> chunk(
            static_cast<std::byte*>(::operator new(added * buffer_size_, std::align_val_t{page_size})),
            free_chunk{page_size});
        chunks_.reserve(chunks_.size() + 1);
        slots_.resize(first + added);
        chunks_.push_back(std::move(chunk));
    } catch (const std::bad_alloc&) {
        return none;
    }
    return static_cast<index>(first);
}

}  // namespace eddy::io
