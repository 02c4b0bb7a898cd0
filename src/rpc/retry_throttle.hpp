#pragma once

#include "rpc/service_config.hpp"

#include <algorithm>

namespace eddy::rpc {

/// Whether calls may be repeated, which ends where too many fail (gRFC A6, "Throttling Retry Attempts and Hedged RPCs").
class retry_throttle {
public:
    explicit retry_throttle(const retry_throttling& chosen) noexcept
        : chosen_(chosen), tokens_(chosen.tokens_max) {}

    void note_failure() noexcept { tokens_ = std::max(tokens_ - 1, 0.0); }
    void note_success() noexcept {
        tokens_ = std::min(tokens_ + chosen_.tokens_per_success, chosen_.tokens_max);
    }
    [[nodiscard]] bool allows() const noexcept { return tokens_ > chosen_.tokens_max / 2; }

private:
    retry_throttling chosen_;
    double tokens_;
};

}  // namespace eddy::rpc
