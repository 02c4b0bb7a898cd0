#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace eddy::http {

/// Frames on their way to the peer. A connection has one while it writes.
class send_block {
public:
    /// DATA frames leave room for one frame of another kind, which nghttp2 adds in one piece.
    static constexpr std::size_t frame_bytes_max = 16'384 + 9 + 1;
    static constexpr std::size_t data_bytes_max = 48 * 1024;
    static constexpr std::size_t bytes_max = data_bytes_max + frame_bytes_max;

    send_block() noexcept {}

    [[nodiscard]] bool empty() const noexcept { return size_ == sent_; }
    /// Those that are still to be sent.
    [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data() + sent_, size_ - sent_}; }
    void note_sent(std::size_t count) noexcept { sent_ += count; }
    [[nodiscard]] bool has_room_for_frame() const noexcept { return size_ <= bytes_max - frame_bytes_max; }
    [[nodiscard]] bool has_room_for_data(std::size_t count) const noexcept {
        return size_ + count <= data_bytes_max;
    }
    /// Requires: there is room.
    void append(std::string_view added) noexcept {
        added.copy(bytes_.data() + size_, added.size());
        size_ += added.size();
    }
    /// Where to put so many bytes. Requires: there is room.
    [[nodiscard]] char* extend(std::size_t count) noexcept {
        return bytes_.data() + std::exchange(size_, size_ + count);
    }
    void clear() noexcept { size_ = sent_ = 0; }

private:
    std::size_t size_ = 0;
    std::size_t sent_ = 0;
    std::array<char, bytes_max> bytes_;
};

}  // namespace eddy::http
