#pragma once

#include "backend/epoll/descriptor_table.hpp"

#include <eddy/detail/intrusive_list.hpp>

#include <cstddef>

namespace eddy::backends {

/// The descriptors whose pooled receive has data but no buffer, in the order in which they ran out. Each
/// buffer that becomes free goes to the next of them.
///
/// Thread safety: belongs to the backend's thread.
class buffer_waiters {
public:
    using descriptors = detail::intrusive_list<descriptor_state, attention_tag>;

    /// False if it stands here already.
    bool add(descriptor_state& lacking) noexcept {
        if (lacking.is_starved)
            return false;
        lacking.is_starved = true;
        lacking.unlink();
        waiting_.push_back(lacking);
        return true;
    }

    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }

    /// Moves as many descriptors as there are free buffers to those that are to be visited.
    void feed(std::size_t buffers, descriptors& visited) noexcept {
        for (; buffers > 0 && !waiting_.empty(); --buffers) {
            descriptor_state& fed = waiting_.pop_front();
            fed.is_starved = false;
            visited.push_back(fed);
        }
    }

private:
    descriptors waiting_;
};

}  // namespace eddy::backends
