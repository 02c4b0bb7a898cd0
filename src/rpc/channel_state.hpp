#pragma once

#include "rpc/call_exchange.hpp"
#include "rpc/call_metrics.hpp"
#include "rpc/channel_method.hpp"
#include "rpc/channel_target.hpp"
#include "rpc/retry_throttle.hpp"
#include "rpc/service_config.hpp"
#include "rpc/spare_strings.hpp"
#include "rpc/subchannel.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::rpc::detail {

/// What the calls of a channel share: the addresses of its target, and the way to each.
class channel_state {
public:
    channel_state(std::string_view target, channel_options options);
    channel_state(const channel_state&) = delete;
    channel_state& operator=(const channel_state&) = delete;
    ~channel_state();

    [[nodiscard]] const channel_options& options() const noexcept { return options_; }
    /// Null where calls are not throttled.
    [[nodiscard]] retry_throttle* throttle() noexcept { return throttle_ ? &*throttle_ : nullptr; }
    /// Throws std::system_error for a path that HTTP does not allow. Valid as long as this.
    [[nodiscard]] std::shared_ptr<const channel_method> method(std::string_view path);
    /// For heads and frames of calls.
    [[nodiscard]] spare_strings& strings() noexcept { return strings_; }
    /// What credentials make for a method. Throws rpc::error.
    [[nodiscard]] task<metadata> prove(const call_credentials& by, std::string_view method) const;
    /// Sends a request where there is a connection; waits for one that is being made. `waits`: also for one that has
    /// failed and is tried again. Throws std::system_error; rpc::error without one. Requires, of the request: as
    /// call_exchange::ask().
    [[nodiscard]] task<exchange_pointer> send(call_request& request, bool waits);

private:
    void start();
    [[nodiscard]] task<> resolve();
    void take(std::vector<endpoint> found);
    void take_one_by_one(const std::vector<endpoint>& found);
    void take_first_of(std::vector<endpoint> found);
    [[nodiscard]] std::shared_ptr<subchannel> make_subchannel(std::vector<endpoint> to);
    void note_change();
    /// One that is ready, or none.
    [[nodiscard]] std::shared_ptr<subchannel> pick();
    /// Begins connecting where that is left to calls. Returns whether one may become ready without a wait.
    [[nodiscard]] bool is_hopeful();
    [[nodiscard]] std::string failure() const;

    channel_options options_;
    channel_target target_;
    service_config config_;
    rpc::balancing balancing_;
    std::optional<retry_throttle> throttle_;
    std::optional<call_metrics> metrics_;
    std::map<std::string, std::shared_ptr<const channel_method>, std::less<>> methods_;
    spare_strings strings_;
    bool has_started_ = false;
    bool is_resolved_ = false;
    std::exception_ptr resolution_failure_;  // of the last attempt
    std::vector<std::shared_ptr<subchannel>> subchannels_;
    std::size_t next_ = 0;
    event<> changed_;  // set, and reset at once
    auto_reset_event should_resolve_;
    handle<> resolving_;
};

}  // namespace eddy::rpc::detail
