#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/message.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace eddy {

/// Descriptors that came with a message.
///
/// Ownership: owns them; those that are not released are closed with it. Moves, does not copy. Thread safety:
/// none; it belongs to its worker.
class passed_descriptors {
public:
    /// The most descriptors of one message.
    static constexpr std::size_t count_max = io::message::descriptors_max;

    passed_descriptors() noexcept = default;
    /// For machinery that receives: takes over what came.
    passed_descriptors(io::backend& backend, std::span<const int> received) noexcept
        : backend_(&backend), size_(received.size()) {
        for (std::size_t index = 0; index < size_; ++index)
            descriptors_[index] = received[index];
    }
    passed_descriptors(passed_descriptors&& other) noexcept
        : backend_(other.backend_), size_(std::exchange(other.size_, 0)), descriptors_(other.descriptors_) {}
    passed_descriptors& operator=(passed_descriptors&& other) noexcept {
        std::swap(backend_, other.backend_);
        std::swap(size_, other.size_);
        std::swap(descriptors_, other.descriptors_);
        return *this;
    }
    ~passed_descriptors() {
        for (std::size_t index = 0; index < size_; ++index)
            if (descriptors_[index] >= 0)
                backend_->close(descriptors_[index]);
    }

    /// The number of descriptors.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether there are none.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// A descriptor, which stays owned; -1 once it was released. Requires: index < size().
    [[nodiscard]] int operator[](std::size_t index) const noexcept {
        EDDY_ASSERT(index < size_, "no more descriptors came");
        return descriptors_[index];
    }
    /// Releases a descriptor to the caller. Requires: index < size().
    [[nodiscard]] int release(std::size_t index) noexcept {
        EDDY_ASSERT(index < size_, "no more descriptors came");
        return std::exchange(descriptors_[index], -1);
    }

private:
    io::backend* backend_ = nullptr;
    std::size_t size_ = 0;
    std::array<int, count_max> descriptors_{};
};

/// A message of a local socket with what came beside its bytes.
class received_message {
public:
    received_message() noexcept = default;

    std::size_t size = 0;  ///< bytes that were put into the memory
    /// The descriptors that came with it; what is not released is closed.
    passed_descriptors descriptors;
    /// The sending process, if the option pass_credentials was set before it sent the message.
    std::optional<peer_credentials> credentials;
    bool is_truncated = false;          ///< the message was longer; its rest is lost
    bool are_descriptors_lost = false;  ///< more came than there is space for, or than this process may have
};

}  // namespace eddy
