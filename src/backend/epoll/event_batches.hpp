#pragma once

#include <eddy/detail/shuffler.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <sys/epoll.h>

namespace eddy::backends {

/// The events of one poll, handled in batches, one a turn: first one, then twice as many each time. So the
/// task of the first event runs, and its peer has something to do, while the others are still to be read
/// from; and many events do not take many turns.
class event_batches {
public:
    [[nodiscard]] bool empty() const noexcept { return left_.empty(); }
    /// Requires: empty(). The events stay where they are until they have been handled.
    void begin(std::span<epoll_event> events, detail::shuffler& order) noexcept {
        if (order.is_on()) [[unlikely]]
            std::ranges::shuffle(events, order);
        left_ = events;
        size_ = 1;
    }
    [[nodiscard]] std::span<const epoll_event> next() noexcept {
        const std::span<const epoll_event> portion = left_.first(std::min(size_, left_.size()));
        left_ = left_.subspan(portion.size());
        size_ *= 2;
        return portion;
    }
    void drop() noexcept { left_ = {}; }

private:
    std::span<const epoll_event> left_;
    std::size_t size_ = 1;
};

}  // namespace eddy::backends
