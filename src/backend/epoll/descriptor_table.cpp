#include "backend/epoll/descriptor_table.hpp"

#include <algorithm>
#include <new>
#include <sys/epoll.h>

namespace eddy::backends {

void descriptor_state::note(std::uint32_t events) noexcept {
    constexpr std::uint32_t disturbing = EPOLLRDHUP | EPOLLHUP | EPOLLERR | EPOLLPRI;
    is_disturbed |= (events & disturbing) != 0;
    is_readable |= (events & (EPOLLIN | disturbing)) != 0;
    is_writable |= (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0;
}

void descriptor_state::renew() noexcept {
    EDDY_ASSERT(!is_awaited(), "descriptors are closed by the backend on which operations wait for them");
    unlink();
    ++generation;
    was_watched = watched != 0;
    watched = 0;
    is_readable = true;
    is_writable = true;
    is_disturbed = false;
    is_foreign = false;
    is_starved = false;
    reading = read_mode::unknown;
}

void descriptor_state::renew_foreign() noexcept {
    renew();
    is_foreign = true;
    is_readable = false;
    is_writable = false;
}

descriptor_state* descriptor_table::make(int descriptor) noexcept {
    const auto chunk = static_cast<std::size_t>(descriptor) / chunk_size;
    try {
        chunks_.resize(std::max(chunks_.size(), chunk + 1));
        chunks_[chunk] = std::make_unique<chunk_type>();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    int number = static_cast<int>(chunk * chunk_size);
    for (descriptor_state& state : *chunks_[chunk])
        state.descriptor = number++;
    return find(descriptor);
}

}  // namespace eddy::backends
