#include <eddy/io/buffer_pool.hpp>

#include <algorithm>
#include <new>

namespace eddy::io {

namespace {
constexpr std::size_t chunks_given_back_max = 2;  // at a time, as the system has to unmap them
}  // namespace

buffer_pool::buffer_pool(std::size_t buffer_size, std::size_t buffers_max, std::size_t alignment)
    : buffer_size_(std::max<std::size_t>(buffer_size, 64)),
      buffers_max_(std::max<std::size_t>(buffers_max, 1)),
      alignment_(alignment) {}

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
            static_cast<std::byte*>(::operator new(added * buffer_size_, std::align_val_t{alignment_})),
            free_chunk{alignment_});
        chunks_.reserve(chunks_.size() + 1);
        slots_.resize(first + added);
        chunks_.push_back(std::move(chunk));
    } catch (const std::bad_alloc&) {
        return none;
    }
    // From now on there is something to free.
    if (first != 0)
        detail::trim_request::give();
    return static_cast<index>(first);
}

// Frees half of the chunks that were not needed since the last call.
detail::trim_rest buffer_pool::trim_some() noexcept {
    const std::size_t used_max = buffers() - std::min(available_min_, buffers());
    const std::size_t needed = std::max<std::size_t>((used_max + chunk_buffers - 1) / chunk_buffers, 1);
    if (chunks_.size() == needed) {
        note_unneeded(available_min_);
    } else if (chunks_.size() > needed) {
        const std::size_t given = std::min((chunks_.size() - needed + 1) / 2, chunks_given_back_max);
        const std::size_t kept = chunks_.size() - given;
        if (withdraw_from(static_cast<index>(kept * chunk_buffers))) {
            slots_.resize(kept * chunk_buffers);
            chunks_.resize(kept);
        }
    }
    available_min_ = available();
    return chunks_.size() > 1 ? detail::trim_rest::some : detail::trim_rest::little;
}

}  // namespace eddy::io
