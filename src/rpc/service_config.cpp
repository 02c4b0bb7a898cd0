#include "rpc/service_config.hpp"

#include <eddy/runtime/detail/deadline.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::rpc {
namespace {

using nlohmann::json;

constexpr int depth_max = 32;
// More are as good as so many (gRFC A6).
constexpr double attempts_most = 5;
constexpr double tokens_most = 1000;

[[noreturn]] void fail(std::string_view what) {
    throw std::invalid_argument("a service config with a wrong " + std::string(what));
}

json parse_json(std::string_view text) {
    std::vector<std::set<std::string>> names;  // of the objects around what is parsed
    const auto accept = [&](int depth, json::parse_event_t event, const json& parsed) {
        if (depth > depth_max)
            fail("nesting: too deep");
        if (event == json::parse_event_t::object_start)
            names.emplace_back();
        else if (event == json::parse_event_t::object_end)
            names.pop_back();
        else if (event == json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second)
            fail("member, which is there twice: " + parsed.get<std::string>());
        return true;
    };
    try {
        return json::parse(text, accept);
    } catch (const json::exception& failed) {
        throw std::invalid_argument(std::string("a service config that is no JSON: ") + failed.what());
    }
}

/// The member; null where there is none.
const json* find_member(const json& of, std::string_view name) {
    const auto found = of.find(name);
    return found == of.end() ? nullptr : &*found;
}

/// The member as T; null where there is none. Throws for one of another type.
template <class T>
const T* member(const json& of, std::string_view name) {
    const json* const found = find_member(of, name);
    if (found == nullptr)
        return nullptr;
    const T* const typed = found->get_ptr<const T*>();
    if (typed == nullptr)
        fail(name);
    return typed;
}

const json::array_t& list(const json& of, std::string_view name) {
    static const json::array_t none;
    const auto* const found = member<json::array_t>(of, name);
    return found == nullptr ? none : *found;
}

std::string text(const json& of, std::string_view name) {
    const auto* const found = member<std::string>(of, name);
    return found == nullptr ? std::string() : *found;
}

double positive(const json& of, std::string_view name) {
    const json* const found = find_member(of, name);
    if (found == nullptr || !found->is_number() || !(found->get<double>() > 0))
        fail(name);
    return found->get<double>();
}

// "1.5s", as protobuf's JSON has it.
std::optional<duration> length(const json& of, std::string_view name) {
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

duration positive_length(const json& of, std::string_view name) {
    const auto found = length(of, name);
    if (!found || *found <= duration::zero())
        fail(name);
    return *found;
}

// A number, or one in a string.
std::size_t bytes_max(const json& of, std::string_view name) {
    const json* const found = find_member(of, name);
    if (found == nullptr)
        return static_cast<std::size_t>(-1);
    if (found->is_number() && found->get<double>() >= 0 && found->get<double>() < 0x1p53)
        return static_cast<std::size_t>(found->get<double>());
    std::size_t count = 0;
    const auto* const digits = found->get_ptr<const std::string*>();
    if (digits == nullptr ||
        std::from_chars(digits->data(), digits->data() + digits->size(), count).ptr !=
            digits->data() + digits->size() ||
        digits->empty())
        fail(name);
    return count;
}

status_code code_from(const json& named) {
    for (unsigned number = 0; number <= 16; ++number) {
        const auto code = static_cast<status_code>(number);
        const auto is_same = [](char left, char right) {
            return (left >= 'a' && left <= 'z' ? left - 'a' + 'A' : left) == right;
        };
        if (const auto* const name = named.get_ptr<const std::string*>())
            if (std::ranges::equal(*name, to_string(code), is_same))
                return code;
        if (named.is_number() && named.get<double>() == number)
            return code;
    }
    fail("status code");
}

code_set codes(const json& of, std::string_view name) {
    code_set found;
    for (const json& each : list(of, name))
        found.add(code_from(each));
    return found;
}

unsigned attempts(const json& of) {
    const double count = positive(of, "maxAttempts");
    if (count < 2 || count != std::floor(count))
        fail("maxAttempts");
    return static_cast<unsigned>(std::min(count, attempts_most));
}

retry_policy retry_policy_from(const json& policy) {
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

hedging_policy hedging_policy_from(const json& policy) {
    hedging_policy made;
    made.attempts_max = attempts(policy);
    made.delay = length(policy, "hedgingDelay").value_or(duration::zero());
    made.not_fatal = codes(policy, "nonFatalStatusCodes");
    return made;
}

method_config method_config_from(const json& config) {
    method_config made;
    made.timeout = length(config, "timeout");
    if (const auto* const waits = member<bool>(config, "waitForReady"))
        made.waits_for_ready = *waits;
    made.send_bytes_max = bytes_max(config, "maxRequestMessageBytes");
    made.receive_bytes_max = bytes_max(config, "maxResponseMessageBytes");
    if (const json* const policy = find_member(config, "retryPolicy"))
        made.retry = retry_policy_from(*policy);
    if (const json* const policy = find_member(config, "hedgingPolicy"))
        made.hedging = hedging_policy_from(*policy);
    if (made.retry && made.hedging)
        fail("methodConfig: retryPolicy beside hedgingPolicy");
    return made;
}

// The key in the map of methods.
std::string name_of(const json& name) {
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
std::optional<balancing> balancing_of(const json& config) {
    const json::array_t& policies = list(config, "loadBalancingConfig");
    for (const json& each : policies) {
        if (!each.is_object() || each.size() != 1)
            fail("loadBalancingConfig");
        if (const auto known = balancing_from(each.begin().key()))
            return known;
    }
    const std::string name = text(config, "loadBalancingPolicy");
    const auto known = balancing_from(name);
    if (!policies.empty() || (!known && !name.empty()))
        fail("loadBalancingConfig: no policy is known");
    return known;
}

}  // namespace

service_config::service_config(std::string_view text) {
    const json config = parse_json(text);
    if (!config.is_object())
        fail("type");
    for (const json& each : list(config, "methodConfig")) {
        const method_config made = method_config_from(each);
        for (const json& name : list(each, "name"))
            if (!methods_.emplace(name_of(name), made).second)
                fail("methodConfig: a name that is there already");
    }
    balancing_ = balancing_of(config);
    if (const json* const throttling = find_member(config, "retryThrottling")) {
        throttling_ = {.tokens_max = positive(*throttling, "maxTokens"),
                       .tokens_per_success = positive(*throttling, "tokenRatio")};
        if (throttling_->tokens_max > tokens_most)
            fail("maxTokens");
    }
    if (const json* const health = find_member(config, "healthCheckConfig"))
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
