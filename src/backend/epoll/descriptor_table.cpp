#include "backend/epoll/descriptor_table.hpp"

#include "backend/epoll/epoll_set.hpp"
#include "backend/epoll/opcode_traits.hpp"

#include <algorithm>
#include <new>
#include <sys/epoll.h>

namespace eddy::backends {

void descriptor_state::note(std::uint32_t events) noexcept {
    constexpr std::uint32_t disturbing = EPOLLRDHUP | EPOLLHUP | EPOLLERR | EPOLLPRI;
    news = events;
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
    news = 0;
    is_disturbed = false;
    is_foreign = false;
    is_starved = false;
    reading = read_mode::unknown;
}

void descriptor_state::note_begun(io::opcode kind) noexcept {
    if (is_awaited()) {
        // Where a read of ours waits, the descriptor is no one else's.
        const bool is_ours = !readers.empty() && !is_readiness(readers.front().code);
        is_foreign |= is_readiness(kind) && !is_ours;
    } else if (is_readiness(kind)) {
        // Other code may have closed it and opened it again. The event that registering it causes reports its
        // readiness.
        renew();
        is_foreign = true;
        is_readable = false;
        is_writable = false;
    } else if (is_foreign || kind == io::opcode::connect || kind == io::opcode::accept_multishot) {
        // A socket is new here when it connects or listens: its number may have served another before.
        renew();
    }
}

std::uint32_t descriptor_state::wanted() const noexcept {
    if (!is_foreign)
        return epoll_set::reading | epoll_set::writing;
    // Events without a waiting operation would only wake the thread.
    return watched | (readers.empty() ? 0 : epoll_set::reading) | (writers.empty() ? 0 : epoll_set::writing);
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
