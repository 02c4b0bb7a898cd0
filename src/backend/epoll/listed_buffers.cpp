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

}  // namespace eddy::backends
