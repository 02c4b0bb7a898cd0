#pragma once

#include <eddy/http/status.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace eddy::http {

/// What a server has done so far. All but `connections` only grow.
struct server_statistics {
    std::uint64_t connections_accepted = 0;
    std::uint64_t connections_refused = 0;  ///< for a cap, or a handshake that failed
    std::uint64_t connections = 0;          ///< that are open
    std::uint64_t requests = 0;             ///< with a whole head that is valid
    std::uint64_t refusals = 0;             ///< heads that were malformed, too large or too slow
    std::uint64_t upgrades = 0;
    std::uint64_t handler_failures = 0;  ///< no answer, or exceptions; not request_error, nor a lost upgrade
    /// Answers by the hundreds of their status: [2] for 2xx. Those of refusals count.
    std::array<std::uint64_t, 6> answers{};
    std::uint64_t bytes_received = 0;  ///< of plaintext
    std::uint64_t bytes_sent = 0;

    void count_answer(status code) noexcept {
        const std::size_t hundreds = to_number(code) / 100;
        ++answers[hundreds < answers.size() ? hundreds : 0];
    }
};

}  // namespace eddy::http
