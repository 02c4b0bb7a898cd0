#pragma once

#include <cstdint>

namespace eddy::http {

/// How the end of an answer's body is told (RFC 9112 section 6.3).
class answer_framing {
public:
    enum class way : std::uint8_t {
        length,   ///< Content-Length
        chunked,  ///< its last chunk
        closing,  ///< the connection's end
        upgrade,  ///< there is no body: the connection changes hands
    };

    [[nodiscard]] static answer_framing of_length(std::uint64_t bytes) noexcept {
        return {way::length, bytes};
    }
    [[nodiscard]] static answer_framing by(way told) noexcept { return {told, 0}; }

    [[nodiscard]] way told_by() const noexcept { return told_by_; }
    [[nodiscard]] std::uint64_t length() const noexcept { return length_; }

private:
    answer_framing(way told_by, std::uint64_t length) noexcept : length_(length), told_by_(told_by) {}

    std::uint64_t length_;
    way told_by_;
};

}  // namespace eddy::http
