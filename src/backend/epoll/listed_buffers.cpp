#include "backend/epoll/listed_buffers.hpp"

#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace eddy::backends {

bool listed_buffers::add_chunk() noexcept {
    try {
        free_.reserve(std::min(buffers() + chunk_buffers, buffers_max()));
    } catch (const std::bad_alloc&) {
        return false;
    }
    const index first = grow();
    if (first == none)
        return false;
    for (auto added = static_cast<index>(buffers()); added > first; --added)
        free_.push_back(added - 1);
    return true;
}

bool listed_buffers::withdraw_from(index first) noexcept {
    const auto is_behind = [first](index buffer) { return buffer >= first; };
    if (static_cast<std::size_t>(std::ranges::count_if(free_, is_behind)) != buffers() - first)
        return false;
    std::erase_if(free_, is_behind);
    clean_ = 0;
    return true;
}

std::size_t listed_buffers::system_page_bytes() noexcept {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Those that were not needed are at the list's beginning. Only whole pages can be returned: a buffer's ends
// share theirs with its neighbours.
void listed_buffers::note_unneeded(std::size_t buffers) noexcept {
    if (buffer_size() % page_bytes_ != 0)
        return;
    for (; clean_ < buffers; ++clean_)
        ::madvise(data(free_[clean_]), buffer_size(), MADV_DONTNEED);
}

}  // namespace eddy::backends
