#pragma once

#include <eddy/core/clock.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/epoll.h>

namespace eddy::backends {

/// An epoll instance and the eventfd that ends its wait.
///
/// Thread safety: belongs to the thread that made it, except wake().
class epoll_set {
public:
    /// Throws std::system_error if it cannot be created.
    epoll_set();
    epoll_set(const epoll_set&) = delete;
    epoll_set& operator=(const epoll_set&) = delete;
    ~epoll_set();

    static constexpr std::uint32_t reading = EPOLLIN | EPOLLRDHUP | EPOLLPRI;
    static constexpr std::uint32_t writing = EPOLLOUT;

    /// Reports every change of readiness from now on, and the readiness there is, for what `directions` name,
    /// in events that carry `token`. Returns 0 or a negative error number; -EPERM: the file is always ready.
    /// `may_be_known`: the descriptor was watched before, and was perhaps not closed since.
    [[nodiscard]] int watch(int descriptor, std::uint64_t token, std::uint32_t directions,
                            bool may_be_known) noexcept;
    /// Reports nothing of a descriptor any more.
    void unwatch(int descriptor) noexcept;

    /// Returns the events there are, waiting for the first if there are none: for `wait` at the most, for
    /// ever if it has no value. They stay valid until the next call.
    [[nodiscard]] std::span<epoll_event> wait(std::optional<duration> wait) noexcept;

    /// Ends a wait, now or the next. Any thread.
    void wake() noexcept;

    /// An eventfd: what adds to it ends a wait, as wake() does.
    [[nodiscard]] int wake_descriptor() const noexcept { return event_; }

    /// Is readable when there is an event. From the first call on, every wake-up makes it so that comes after
    /// a wait, or a look.
    [[nodiscard]] int descriptor() noexcept {
        is_polled_outside_ = true;
        return epoll_;
    }

private:
    enum class sleep : int {
        awake,     ///< the thread will look before it waits
        waiting,   ///< the thread waits, or is about to
        notified,  ///< the next wait must not be one
    };
    static constexpr std::uint64_t wake_token = ~std::uint64_t{0};  // of no descriptor
    static constexpr std::size_t events_max = 256;

    /// Neither earlier nor, mostly, later than after `wait`. Requires: wait > 0.
    int wait_at_most(duration wait) noexcept;
    int wait_in_kernel(std::optional<duration> wait) noexcept;

    int epoll_;
    int event_;
    duration slack_;
    bool has_nanoseconds_ = true;
    bool is_polled_outside_ = false;
    std::atomic<sleep> sleep_ = sleep::awake;
    std::array<epoll_event, events_max> events_;
};

}  // namespace eddy::backends
