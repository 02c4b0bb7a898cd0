#pragma once

#include <eddy/core/clock.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace eddy::detail {

/// Ciphertext that waits to be sent. What is being sent lies still while more is made. Holds no memory while
/// it is empty.
class tls_output {
public:
    /// Room for so many more bytes, so that append() cannot fail. Throws std::bad_alloc.
    void reserve(std::size_t count);
    /// Throws std::bad_alloc.
    void append(std::span<const std::byte> ciphertext);

    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return sending_.size() - sent_ + fresh_.size(); }
    /// The oldest bytes, which stay where they are until note_sent().
    [[nodiscard]] std::span<const std::byte> next() noexcept;
    /// Requires: count <= next().size().
    void note_sent(std::size_t count) noexcept;

private:
    std::vector<std::byte> sending_;
    std::size_t sent_ = 0;
    std::vector<std::byte> fresh_;
};

/// How much plaintext goes into the next record. A record can be read only once all of it has arrived, so the
/// first ones, as long as the network's window is small, fit into a packet each; later ones are as large as
/// can be (RFC 8446 section 5.1), which costs least.
class tls_record_sizer {
public:
    static constexpr std::size_t small_bytes = 1300;
    static constexpr std::size_t large_bytes = 16'384;

    /// Begins anew after a second without writing, when the window has shrunk again.
    void begin(time_point now) noexcept;
    [[nodiscard]] std::size_t next() const noexcept {
        return sent_small_ < small_in_all ? small_bytes : large_bytes;
    }
    void note(std::size_t bytes) noexcept {
        if (sent_small_ < small_in_all)
            sent_small_ += bytes;
    }

private:
    static constexpr std::size_t small_in_all = 10 * small_bytes;

    std::size_t sent_small_ = 0;
    time_point last_{};
};

}  // namespace eddy::detail
