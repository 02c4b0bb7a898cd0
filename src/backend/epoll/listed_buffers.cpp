#include "backend/epoll/listed_buffers.hpp"

#include <algorithm>
#include <new>

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
    return true;
}

}  // namespace eddy::backends
