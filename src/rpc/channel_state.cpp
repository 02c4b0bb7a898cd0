#include "rpc/channel_state.hpp"

#include "rpc/request_head.hpp"

#include <eddy/http/message/http_error.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {
namespace {

// Programs call few methods; one that gets their names from elsewhere has what is common to some of them at a time.
constexpr std::size_t methods_max = 1024;
// How often a request goes elsewhere whose connection has ended before it was sent.
constexpr unsigned lost_connections_max = 8;

// Whether a request failed because there was no connection for it: what happens on one has an error of HTTP.
bool is_connect_failure(const std::system_error& failure) noexcept {
    const std::error_code code = failure.code();
    if (code.category() == http::http_category())
        return code == http::http_error::connect_timed_out;
    return true;
}

}  // namespace

channel_state::channel_state(std::string_view target, channel_options options)
    : options_(std::move(options)),
      target_(target, options_),
      config_(options_.service_config().empty() ? service_config()
                                                : service_config(options_.service_config())),
      balancing_(config_.balancing_chosen().value_or(options_.balancing())) {
    if (config_.throttling())
        throttle_.emplace(*config_.throttling());
    if (options_.metrics())
        metrics_.emplace(options_.metrics(), "client");
    // What HTTP does not allow in it is no matter of a call.
    static_cast<void>(begin_head(options_, target_.origin, "/"));
}

channel_state::~channel_state() {
    resolving_.cancel();
    for (const auto& each : subchannels_)
        each->retire();
}

std::shared_ptr<const channel_method> channel_state::method(std::string_view path) {
    const auto known = methods_.find(path);
    if (known != methods_.end())
        return known->second;
    if (methods_.size() >= methods_max)
        methods_.clear();
    auto made = std::make_shared<const channel_method>(
        channel_method{.path = std::string(path),
                       .config = config_.find(path),
                       .metrics = metrics_ ? &metrics_->of(path) : nullptr,
                       .head = begin_head(options_, target_.origin, path)});
    methods_.emplace(path, made);
    return made;
}

task<metadata> channel_state::prove(const call_credentials& by, std::string_view method) const {
    const std::string& origin = target_.origin;
    const bool is_secure = origin.starts_with("https:") || origin.starts_with("http+unix:");
    if (!is_secure && !options_.insecure_credentials())
        throw error(status_code::unauthenticated, "credentials are not sent in clear");
    try {
        std::string service = origin + std::string(method.substr(0, method.rfind('/')));
        co_return co_await by(std::move(service), std::string(method));
    } catch (const error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& failed) {
        throw error(status_code::unavailable, std::string("credentials: ") + failed.what());
    }
}

task<exchange_pointer> channel_state::send(call_request& request, bool waits) {
    start();
    for (unsigned lost = 0;;) {
        const std::shared_ptr<subchannel> picked = pick();
        if (!picked) {
            if (!is_hopeful() && !waits)
                throw error(status_code::unavailable, failure());
            co_await changed_.wait();
            continue;
        }
        try {
            co_return co_await picked->send(request);
        } catch (const std::system_error& failed) {
            if (!is_connect_failure(failed) || ++lost == lost_connections_max)
                throw;
        }
    }
}

// -- addresses --

void channel_state::start() {
    if (has_started_)
        return;
    if (target_.resolver)
        resolving_ = spawn(resolve(), "resolver");
    else
        take(target_.addresses);
    has_started_ = true;
}

task<> channel_state::resolve() {
    eddy::detail::growing_wait waits(options_.reconnect_first(), options_.reconnect_most());
    for (;;) {
        should_resolve_.reset();
        time_point again =
            eddy::detail::deadline_after(worker::current().turn_time(), options_.reconnect_first());
        bool has_failed = false;
        try {
            auto lists = target_.resolver->watch(target_.name);
            while (auto found = co_await lists.next()) {
                take(std::move(*found));
                waits.reset();
            }
        } catch (...) {
            resolution_failure_ = std::current_exception();
            has_failed = true;
        }
        if (has_failed) {
            note_change();
            again = eddy::detail::deadline_after(worker::current().turn_time(), waits.next());
        } else {
            co_await should_resolve_.wait();
        }
        co_await sleep_until(again);
    }
}

void channel_state::take(std::vector<endpoint> found) {
    is_resolved_ = true;
    resolution_failure_ = nullptr;
    const bool has_no_list = !target_.resolver && found.empty();
    if (has_no_list || (!found.empty() && balancing_ == balancing::pick_first))
        take_first_of(std::move(found));
    else
        take_one_by_one(found);
    note_change();
}

void channel_state::take_one_by_one(const std::vector<endpoint>& found) {
    std::vector<std::shared_ptr<subchannel>> now;
    for (const endpoint& each : found) {
        const auto is_to_it = [&](const auto& known) {
            return known != nullptr && known->addresses() == std::vector(1, each);
        };
        if (std::ranges::any_of(now, is_to_it))
            continue;
        const auto known = std::ranges::find_if(subchannels_, is_to_it);
        now.push_back(known != subchannels_.end() ? *known : make_subchannel({each}));
    }
    std::swap(subchannels_, now);
    for (const auto& each : now)
        if (std::ranges::find(subchannels_, each) == subchannels_.end())
            each->retire();
    for (const auto& each : subchannels_)
        each->connect();
}

void channel_state::take_first_of(std::vector<endpoint> found) {
    if (!subchannels_.empty()) {
        if (subchannels_.front()->change_addresses(found))
            return;
        subchannels_.front()->retire();
        subchannels_.clear();
    }
    subchannels_.push_back(make_subchannel(std::move(found)));
}

std::shared_ptr<subchannel> channel_state::make_subchannel(std::vector<endpoint> to) {
    if (target_.origin.starts_with("https:") && !options_.tls())
        options_.tls(tls_context(tls_client_options()));
    const bool takes_turns = balancing_ == balancing::round_robin;
    auto on_change = [this](bool has_failed) {
        note_change();
        if (has_failed)
            should_resolve_.set();
    };
    return std::make_shared<subchannel>(options_, target_.origin, std::move(to), takes_turns,
                                        takes_turns ? config_.watched_service() : std::nullopt,
                                        std::move(on_change));
}

// -- choosing one --

void channel_state::note_change() {
    changed_.set();
    changed_.reset();
}

std::shared_ptr<subchannel> channel_state::pick() {
    for (std::size_t tried = 0; tried < subchannels_.size(); ++tried) {
        next_ = next_ + 1 < subchannels_.size() ? next_ + 1 : 0;
        if (subchannels_[next_]->state() == connectivity::ready)
            return subchannels_[next_];
    }
    return nullptr;
}

bool channel_state::is_hopeful() {
    bool found = !is_resolved_ && !resolution_failure_;
    for (const auto& each : subchannels_) {
        if (each->state() == connectivity::idle)
            each->connect();
        found = found || each->state() != connectivity::failed;
    }
    return found;
}

std::string channel_state::failure() const {
    const std::exception_ptr& why =
        subchannels_.empty() ? resolution_failure_ : subchannels_.front()->failure();
    try {
        if (why)
            std::rethrow_exception(why);
    } catch (const std::exception& failed) {
        return failed.what();
    } catch (...) {
        return "no connection";
    }
    return subchannels_.empty() ? "no addresses of " + target_.name : "no connection";
}

}  // namespace eddy::rpc::detail
