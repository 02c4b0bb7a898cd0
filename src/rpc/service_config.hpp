#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/status.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::rpc {

/// Some status codes.
class code_set {
public:
    void add(status_code code) noexcept { bits_ |= 1U << static_cast<unsigned>(code); }
    [[nodiscard]] bool contains(status_code code) const noexcept {
        return (bits_ >> static_cast<unsigned>(code) & 1U) != 0;
    }
    [[nodiscard]] bool empty() const noexcept { return bits_ == 0; }

private:
    std::uint32_t bits_ = 0;
};

/// An attempt follows one that has failed.
struct retry_policy {
    unsigned attempts_max = 1;
    duration first{};
    duration most{};
    double factor = 1;
    code_set retried;
};

/// Attempts are made beside each other.
struct hedging_policy {
    unsigned attempts_max = 1;
    duration delay{};
    code_set not_fatal;
};

struct method_config {
    std::optional<duration> timeout;
    std::optional<bool> waits_for_ready;
    std::size_t send_bytes_max = static_cast<std::size_t>(-1);
    std::size_t receive_bytes_max = static_cast<std::size_t>(-1);
    std::optional<retry_policy> retry;
    std::optional<hedging_policy> hedging;
};

/// How often calls may be repeated: not where too many fail.
struct retry_throttling {
    double tokens_max = 0;
    double tokens_per_success = 0;
};

/// What gRPC's doc/service_config.md describes.
class service_config {
public:
    service_config() = default;
    /// Of JSON. Throws std::invalid_argument for what is no such config. Members that are not known are passed over.
    explicit service_config(std::string_view text);

    /// Of "/package.Service/Method"; null if nothing is said of it. Valid as long as this.
    [[nodiscard]] const method_config* find(std::string_view method) const noexcept;
    [[nodiscard]] const std::optional<balancing>& balancing_chosen() const noexcept { return balancing_; }
    [[nodiscard]] const std::optional<retry_throttling>& throttling() const noexcept { return throttling_; }
    /// The service whose health is watched.
    [[nodiscard]] const std::optional<std::string>& watched_service() const noexcept { return watched_; }

private:
    std::map<std::string, method_config, std::less<>> methods_;  // "/s/m", "/s/", or "" for all
    std::optional<balancing> balancing_;
    std::optional<retry_throttling> throttling_;
    std::optional<std::string> watched_;
};

}  // namespace eddy::rpc
