#include "rpc/service_config.hpp"

#include "rpc/json_value.hpp"

#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace eddy::rpc {
namespace {

// More are as good as so many (gRFC A6).
constexpr double attempts_most = 5;
constexpr double tokens_most = 1000;

[[noreturn]] void fail(std::string_view what) {
    throw std::invalid_argument("a service config with a wrong " + std::string(what));
}

/// The member as T; null where there is none. Throws for one of another type.
template <class T>
const T* member(const json_value& of, std::string_view name) {
    const json_value* const found = of.find(name);
    if (found == nullptr)
        return nullptr;
    const T* const typed = found->get_if<T>();
    if (typed == nullptr)
        fail(name);
    return typed;
}

const json_value::array& list(const json_value& of, std::string_view name) {
    static const json_value::array none;
    const auto* const found = member<json_value::array>(of, name);
    return found == nullptr ? none : *found;
}

std::string text(const json_value& of, std::string_view name) {
    const auto* const found = member<std::string>(of, name);
    return found == nullptr ? std::string() : *found;
}

double positive(const json_value& of, std::string_view name) {
    const auto* const found = member<double>(of, name);
    if (found == nullptr || !(*found > 0))
        fail(name);
    return *found;
}

// "1.5s", as protobuf's JSON has it.
std::optional<duration> length(const json_value& of, std::string_view name) {
    const auto* const found = member<std::string>(of, name);
    if (found == nullptr)
        return std::nullopt;
    double seconds = 0;
    const char* const end = found->data() + found->size() - (found->ends_with('s') ? 1 : 0);
    const auto parsed = std::from_chars(found->data(), end, seconds, std::chars_format::fixed);
    if (!found->ends_with('s') || parsed.ec != std::errc() || parsed.ptr != end || seconds < 0)
        fail(name);
    return eddy::detail::saturated(std::chrono::duration<double>(seconds));
}

duration positive_length(const json_value& of, std::string_view name) {
    const auto found = length(of, name);
    if (!found || *found <= duration::zero())
        fail(name);
    return *found;
}

// A number, or one in a string.
std::size_t bytes_max(const json_value& of, std::string_view name) {
    const json_value* const found = of.find(name);
    if (found == nullptr)
        return static_cast<std::size_t>(-1);
    if (const auto* const number = found->get_if<double>();
        number != nullptr && *number >= 0 && *number < 0x1p53)
        return static_cast<std::size_t>(*number);
    std::size_t count = 0;
    const auto* const digits = found->get_if<std::string>();
    if (digits == nullptr ||
        std::from_chars(digits->data(), digits->data() + digits->size(), count).ptr !=
            digits->data() + digits->size() ||
        digits->empty())
        fail(name);
    return count;
}

status_code code_from(const json_value& named) {
    for (unsigned number = 0; number <= 16; ++number) {
        const auto code = static_cast<status_code>(number);
        const auto is_same = [](char left, char right) {
            return (left >= 'a' && left <= 'z' ? left - 'a' + 'A' : left) == right;
        };
        if (const auto* const name = named.get_if<std::string>())
            if (std::ranges::equal(*name, to_string(code), is_same))
                return code;
        if (const auto* const value = named.get_if<double>(); value != nullptr && *value == number)
            return code;
    }
    fail("status code");
}

code_set codes(const json_value& of, std::string_view name) {
    code_set found;
    for (const json_value& each : list(of, name))
        found.add(code_from(each));
    return found;
}

unsigned attempts(const json_value& of) {
    const double count = positive(of, "maxAttempts");
    if (count < 2 || count != std::floor(count))
        fail("maxAttempts");
    return static_cast<unsigned>(std::min(count, attempts_most));
}

retry_policy retry_policy_from(const json_value& policy) {
    retry_policy made;
    made.attempts_max = attempts(policy);
    made.first = positive_length(policy, "initialBackoff");
    made.most = positive_length(policy, "maxBackoff");
    made.factor = positive(policy, "backoffMultiplier");
    made.retried = codes(policy, "retryableStatusCodes");
    if (made.retried.empty())
        fail("retryableStatusCodes");
    return made;
}

hedging_policy hedging_policy_from(const json_value& policy) {
    hedging_policy made;
    made.attempts_max = attempts(policy);
    made.delay = length(policy, "hedgingDelay").value_or(duration::zero());
    made.not_fatal = codes(policy, "nonFatalStatusCodes");
    return made;
}

method_config method_config_from(const json_value& config) {
    method_config made;
    made.timeout = length(config, "timeout");
    if (const auto* const waits = member<bool>(config, "waitForReady"))
        made.waits_for_ready = *waits;
    made.send_bytes_max = bytes_max(config, "maxRequestMessageBytes");
    made.receive_bytes_max = bytes_max(config, "maxResponseMessageBytes");
    if (const json_value* const policy = config.find("retryPolicy"))
        made.retry = retry_policy_from(*policy);
    if (const json_value* const policy = config.find("hedgingPolicy"))
        made.hedging = hedging_policy_from(*policy);
    if (made.retry && made.hedging)
        fail("methodConfig: retryPolicy beside hedgingPolicy");
    return made;
}

// The key in the map of methods.
std::string name_of(const json_value& name) {
    const std::string service = text(name, "service");
    const std::string method = text(name, "method");
    if (service.empty() && !method.empty())
        fail("name: a method without its service");
    return service.empty() ? service : "/" + service + "/" + method;
}

std::optional<balancing> balancing_from(std::string_view name) {
    if (name == "round_robin" || name == "ROUND_ROBIN")
        return balancing::round_robin;
    if (name == "pick_first" || name == "PICK_FIRST")
        return balancing::pick_first;
    return std::nullopt;
}

// The first policy that is known.
std::optional<balancing> balancing_of(const json_value& config) {
    const json_value::array& policies = list(config, "loadBalancingConfig");
    for (const json_value& each : policies) {
        const auto* const policy = each.get_if<json_value::object>();
        if (policy == nullptr || policy->size() != 1)
            fail("loadBalancingConfig");
        if (const auto known = balancing_from(policy->front().first))
            return known;
    }
    const std::string name = text(config, "loadBalancingPolicy");
    const auto known = balancing_from(name);
    if (!policies.empty() || (!known && !name.empty()))
        fail("loadBalancingConfig: no policy is known");
    return known;
}

}  // namespace

service_config::service_config(std::string_view json) {
    const json_value config = json_value::parse(json);
    if (config.get_if<json_value::object>() == nullptr)
        fail("type");
    for (const json_value& each : list(config, "methodConfig")) {
        const method_config made = method_config_from(each);
        for (const json_value& name : list(each, "name"))
            if (!methods_.emplace(name_of(name), made).second)
                fail("methodConfig: a name that is there already");
    }
    balancing_ = balancing_of(config);
    if (const json_value* const throttling = config.find("retryThrottling")) {
        throttling_ = {.tokens_max = positive(*throttling, "maxTokens"),
                       .tokens_per_success = positive(*throttling, "tokenRatio")};
        if (throttling_->tokens_max > tokens_most)
            fail("maxTokens");
    }
    if (const json_value* const health = config.find("healthCheckConfig"))
        if (const auto* const name = member<std::string>(*health, "serviceName"))
            watched_ = *name;
}

const method_config* service_config::find(std::string_view method) const noexcept {
    if (methods_.empty())
        return nullptr;
    for (const std::string_view name : {method, method.substr(0, method.rfind('/') + 1), std::string_view()})
        if (const auto found = methods_.find(name); found != methods_.end())
            return &found->second;
    return nullptr;
}

}  // namespace eddy::rpc
