#pragma once

#include <eddy/detail/counter.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace eddy::detail {

/// A descriptor that belongs to a worker: the beginning of the state of a stream, a socket, a listener or the end
/// of a pipe. It does not move, since operations refer to it.
class worker_descriptor {
public:
    worker_descriptor(const worker_descriptor&) = delete;
    worker_descriptor& operator=(const worker_descriptor&) = delete;

    [[nodiscard]] io::backend& backend() const noexcept { return home_.backend(); }
    /// Negative once it is closed.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    /// The result of a call on the descriptor, which another task may have closed meanwhile.
    [[nodiscard]] std::int32_t unless_closed(std::int32_t result) const noexcept {
        return is_open() ? result : -ECANCELED;
    }
    /// In every build an operation on another worker ends the program with a message.
    void require_home() const noexcept { worker_core::require_current(&home_); }

protected:
    /// `open`: the worker's count of what is open of this kind.
    worker_descriptor(worker_core& home, int descriptor, counter& open) noexcept
        : home_(home), descriptor_(descriptor), open_(open) {
        ++open_;
    }
    ~worker_descriptor() = default;

    /// Requires: is_open(), and operations on it have ended or are being cancelled.
    void close_descriptor() noexcept {
        backend().close(std::exchange(descriptor_, -1));
        open_.subtract(1);
    }
    /// Releases the descriptor to the caller. Requires: is_open(), and no operation is under way.
    [[nodiscard]] int release_descriptor() noexcept {
        backend().forget(descriptor_);
        open_.subtract(1);
        return std::exchange(descriptor_, -1);
    }
    [[nodiscard]] worker_core& home() const noexcept { return home_; }

private:
    worker_core& home_;
    int descriptor_;
    counter& open_;
};

}  // namespace eddy::detail
