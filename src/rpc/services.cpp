#include "rpc/call_metrics.hpp"
#include "rpc/server_call_state.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/rpc/server_call.hpp>
#include <eddy/rpc/services.hpp>
#include <eddy/runtime/worker.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace eddy::rpc {
namespace {

constexpr std::string_view own_type = "application/grpc";
constexpr std::string_view web_type = "application/grpc-web";
constexpr std::string_view web_text_type = "application/grpc-web-text";

// What a content type of gRPC says of the messages; nothing for another one.
std::optional<detail::call_format> format_of(std::string_view type) noexcept {
    type = type.substr(0, type.find(';'));
    while (type.ends_with(' '))
        type.remove_suffix(1);
    if (!type.starts_with(own_type))
        return std::nullopt;
    detail::call_format format{
        .subtype = "proto", .is_web = type.starts_with(web_type), .is_text = type.starts_with(web_text_type)};
    type.remove_prefix(format.is_text  ? web_text_type.size()
                       : format.is_web ? web_type.size()
                                       : own_type.size());
    if (type.empty())
        return format;
    if (type.front() != '+' || type.size() == 1)
        return std::nullopt;
    format.subtype = type.substr(1);
    return format;
}

// What a handler has thrown, for the client.
status status_of(http::exchange& ex, const std::exception_ptr& failure, bool is_late) {
    try {
        std::rethrow_exception(failure);
    } catch (const error& thrown) {
        return thrown.status();
    } catch (const http::request_error& refused) {
        return status(status_code::internal, refused.what());
    } catch (const std::system_error& failed) {
        if (is_late && failed.code() == std::errc::timed_out)
            return status(status_code::deadline_exceeded, "the deadline has passed");
        ex.report_failure(failure);
    } catch (...) {
        ex.report_failure(failure);
    }
    return status(status_code::unknown, "the handler has failed");
}

}  // namespace

/// One of the calls that are handled. Counted when it goes, also if it is dropped.
class services::served_call {
public:
    served_call(services& by, const detail::server_call_state& state, bool is_known)
        : by_(by),
          state_(state),
          metrics_(by.metrics_ ? &by.metrics_->of(is_known ? state.ex.request().path() : "other") : nullptr) {
        ++by_.calls_;
        if (metrics_ != nullptr)
            metrics_->count_start();
    }
    served_call(const served_call&) = delete;
    served_call& operator=(const served_call&) = delete;
    ~served_call() {
        --by_.calls_;
        if (metrics_ != nullptr)
            metrics_->count(code, worker::current().turn_time() - state_.ex.began_at(), state_.bytes_sent,
                            state_.bytes_received);
    }

    status_code code = status_code::cancelled;

private:
    services& by_;
    const detail::server_call_state& state_;
    method_metrics* metrics_;  // null where calls are not counted
};

task<> next_handler::operator()(server_call& call) const {
    return services_.run(call, method_, index_);
}

task<> services::run(server_call& call, service_method& method, std::size_t index) {
    if (index == interceptors_.size())
        return method.handle(call);
    return interceptors_[index](call, next_handler(*this, method, index + 1));
}

task<> services::serve(http::exchange& ex, service_method* method, detail::call_format format) {
    detail::server_call_state state(ex, options_, *memory_, format);
    server_call call(state);
    served_call served(*this, state, method != nullptr);
    std::exception_ptr failure;
    try {
        state.take_head();
        if (method == nullptr)
            throw error(status_code::unimplemented, "no method " + std::string(call.method()));
        if (!method->knows(format.subtype))
            throw error(status_code::unimplemented,
                        "no messages of the format " + std::string(format.subtype));
        if (calls_ > options_.calls_max())
            throw error(status_code::resource_exhausted, "too many calls at a time");
        if (state.deadline)
            co_await with_deadline(run(call, *method, 0), *state.deadline);
        else
            co_await run(call, *method, 0);
    } catch (...) {
        failure = std::current_exception();
    }
    status end;
    if (failure)
        end = status_of(ex, failure, state.deadline && worker::current().turn_time() >= *state.deadline);
    served.code = end.code();
    co_await state.finish(end);
}

services::services(const services_options& options)
    : options_(options),
      metrics_(options.metrics() ? std::make_unique<call_metrics>(options.metrics(), "server") : nullptr),
      memory_(std::make_unique<detail::response_memory>()) {}
services::~services() = default;

services& services::add(std::shared_ptr<service> added) {
    add(*added);
    services_.push_back(std::move(added));
    return *this;
}

services& services::add(service& added) {
    for (service_method& each : added.methods()) {
        const std::string path = "/" + added.name() + "/" + each.name();
        if (!methods_.emplace(path, &each).second)
            throw std::invalid_argument("a method that is there already: " + path);
    }
    return *this;
}

std::vector<std::string> services::names() const {
    std::set<std::string> found;
    for (const auto& [path, method] : methods_)
        found.insert(path.substr(1, path.rfind('/') - 1));
    return {found.begin(), found.end()};
}

services& services::use(interceptor added) {
    interceptors_.push_back(std::move(added));
    return *this;
}

ready_or_task<> services::handle(http::exchange& ex) {
    if (ex.request().method() != http::method::post) {
        ex.add_field("Allow", "POST");
        return ex.respond(http::status::method_not_allowed, {}, std::string_view());
    }
    const auto format = format_of(ex.request().find(http::field::content_type).value_or(""));
    if (!format)
        return ex.respond(http::status::unsupported_media_type, {}, std::string_view());
    const auto found = methods_.find(ex.request().path());
    return serve(ex, found == methods_.end() ? nullptr : found->second, *format);
}

}  // namespace eddy::rpc
