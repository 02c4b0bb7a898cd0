#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nghttp2/nghttp2.h>
#include <span>
#include <utility>

namespace eddy::http {

/// Follows the heads of the frames that are received, for what nghttp2 does not report, or treats in another way: frames
/// of unknown types, those for streams that have ended, and a WINDOW_UPDATE of 0, which ends the whole connection there
/// instead of its stream (RFC 9113 section 6.9).
class frame_scan {
public:
    enum class found : std::uint8_t {
        nothing,
        unknown_frame,
        new_stream,  ///< HEADERS of one
        old_stream,  ///< DATA, or HEADERS of a stream that is not new
        too_small,   ///< without what its flags announce
        zero_window
    };

    /// So many bytes come before the first frame.
    explicit frame_scan(std::size_t preface_bytes) noexcept : left_(preface_bytes) {}

    /// Takes bytes up to what is found, or all: its last byte is the last of the head or of the increment.
    [[nodiscard]] found next(std::span<const std::byte>& bytes) noexcept {
        while (!bytes.empty()) {
            if (left_ != 0) {
                const std::size_t passed = std::min(left_, bytes.size());
                left_ -= passed;
                bytes = bytes.subspan(passed);
                continue;
            }
            const std::size_t wanted = (size_ < head_bytes ? head_bytes : window_bytes) - size_;
            const std::size_t more = std::min(wanted, bytes.size());
            std::copy_n(bytes.begin(), more, seen_.begin() + static_cast<std::ptrdiff_t>(size_));
            size_ += more;
            bytes = bytes.subspan(more);
            if (more < wanted)
                break;
            if (size_ == window_bytes) {
                size_ = 0;
                if ((number_at(head_bytes) & INT32_MAX) == 0)
                    return found::zero_window;
            } else if (const found here = take_head(); here != found::nothing) {
                return here;
            }
        }
        return found::nothing;
    }

    /// Of the last frame whose head was seen.
    [[nodiscard]] std::uint8_t type() const noexcept { return std::to_integer<std::uint8_t>(seen_[3]); }
    [[nodiscard]] std::int32_t stream_id() const noexcept {
        return static_cast<std::int32_t>(number_at(5) & INT32_MAX);
    }

private:
    static constexpr std::size_t head_bytes = 9;
    static constexpr std::size_t window_bytes = head_bytes + 4;
    static constexpr std::size_t priority_bytes = 5;

    [[nodiscard]] std::uint32_t number_at(std::size_t at) const noexcept {
        std::uint32_t number = 0;
        for (std::size_t end = at + 4; at != end; ++at)
            number = number << 8 | std::to_integer<std::uint32_t>(seen_[at]);
        return number;
    }

    [[nodiscard]] found take_head() noexcept {
        const std::size_t size = number_at(0) >> 8;
        if (type() == NGHTTP2_WINDOW_UPDATE && size == window_bytes - head_bytes)
            return found::nothing;  // its increment comes next
        size_ = 0;
        left_ = size;
        const bool is_data = type() == NGHTTP2_DATA;
        const bool is_head = type() == NGHTTP2_HEADERS;
        const auto has = [this](std::uint8_t flag) {
            return (std::to_integer<std::uint8_t>(seen_[4]) & flag) != 0;
        };
        if ((is_data || is_head) && size < (has(NGHTTP2_FLAG_PADDED) ? 1U : 0U) +
                                               (is_head && has(NGHTTP2_FLAG_PRIORITY) ? priority_bytes : 0))
            return found::too_small;
        if (is_data)
            return found::old_stream;
        if (is_head)
            return stream_id() > std::exchange(last_id_, std::max(last_id_, stream_id())) ? found::new_stream
                                                                                          : found::old_stream;
        if (type() > NGHTTP2_CONTINUATION && type() != NGHTTP2_PRIORITY_UPDATE)
            return found::unknown_frame;
        return found::nothing;
    }

    std::size_t left_;  // until the next head
    std::size_t size_ = 0;
    std::int32_t last_id_ = 0;  // with HEADERS
    std::array<std::byte, window_bytes> seen_{};
};

}  // namespace eddy::http
