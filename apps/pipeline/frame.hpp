#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace eddy::apps {

/// A question to the upstream service, or its response. On the wire, little-endian:
///
///     4 bytes  how many bytes follow: 16
///     8 bytes  id; an answer bears that of its question
///     8 bytes  value; the answer's is the question's plus 1
struct frame {
    static constexpr std::size_t bytes = 20;

    std::uint64_t id = 0;
    std::uint64_t value = 0;

    void append_to(std::string& out) const;
    /// Throws std::system_error with bad_message if the length is not what it must be.
    [[nodiscard]] static frame parse(std::span<const std::byte, bytes> from);
};

/// Cuts what arrives into frames. Keeps at most the beginning of one.
class frame_reader {
public:
    /// Calls take(frame) for each frame that is whole by now. Throws what frame::parse throws.
    template <class Function>
    void read(std::span<const std::byte> arrived, Function&& take) {
        if (kept_ != 0) {
            arrived = complete(arrived);
            if (kept_ < frame::bytes)
                return;
            kept_ = 0;
            take(frame::parse(beginning_));
        }
        for (; arrived.size() >= frame::bytes; arrived = arrived.subspan(frame::bytes))
            take(frame::parse(arrived.first<frame::bytes>()));
        complete(arrived);
    }

private:
    /// Adds to the beginning that is kept, up to a whole frame. Returns what is left.
    std::span<const std::byte> complete(std::span<const std::byte> arrived) noexcept;

    std::array<std::byte, frame::bytes> beginning_{};
    std::size_t kept_ = 0;
};

}  // namespace eddy::apps
