#include "pipeline/compute_handler.hpp"

#include <eddy/http/message/method.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/runtime/worker.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace eddy::apps {

namespace {

std::optional<std::uint64_t> parse_number(std::string_view query) {
    constexpr std::string_view name = "n=";
    if (!query.starts_with(name))
        return {};
    query.remove_prefix(name.size());
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(query.data(), query.data() + query.size(), number);
    if (error != std::errc() || end != query.data() + query.size())
        return {};
    return number;
}

struct refusal {
    http::status code;
    std::string_view text;
};

refusal refusal_of(std::error_code error) {
    if (error == std::errc::timed_out)
        return {http::status::gateway_timeout, "the upstream service did not answer in time\n"};
    if (error == std::errc::not_connected)
        return {http::status::service_unavailable, "the upstream service is away\n"};
    if (error == std::errc::resource_unavailable_try_again)
        return {http::status::service_unavailable, "too many requests wait for the upstream service\n"};
    return {http::status::bad_gateway, "the upstream service broke off\n"};
}

}  // namespace

compute_handler::compute_handler(pool& processing) : pool_(processing) {
    fields_.add("Content-Type", "text/plain");
}

ready_or_task<> compute_handler::handle(http::exchange& ex) {
    if (ex.request().path() != "/compute")
        return ex.respond(http::status::not_found, fields_, "there is /compute?n=NUMBER\n");
    if (ex.request().method() != http::method::get)
        return ex.respond(http::status::method_not_allowed, fields_, "only GET\n");
    const auto number = parse_number(ex.request().query());
    if (!number)
        return ex.respond(http::status::bad_request, fields_, "n is a number from 0 to 2^64-1\n");
    return answer(ex, *number);
}

task<> compute_handler::answer(http::exchange& ex, std::uint64_t number) {
    const request asked_of_pool{number, worker::current().turn_time()};
    const upstream_result result = co_await pool_.process(asked_of_pool);
    if (!result) {
        const refusal why = refusal_of(result.error());
        co_return co_await ex.respond(why.code, fields_, why.text);
    }
    std::array<char, 24> text;
    char* const end = std::to_chars(text.data(), text.data() + text.size(), *result).ptr;
    *end = '\n';
    co_await ex.respond(http::status::ok, fields_, std::string_view(text.data(), end + 1));
}

}  // namespace eddy::apps
