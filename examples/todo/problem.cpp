#include "problem.hpp"

#include "store.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace todo {

namespace {

namespace http = eddy::http;
using nlohmann::json;

// What clients have sent may be no UTF-8 where it is quoted.
std::string text_of(const json& told) {
    return told.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

http::response problem(http::status code, std::string_view detail, std::span<const fault> faults) {
    json told = {{"type", "about:blank"},
                 {"title", http::reason_phrase(code)},
                 {"status", http::to_number(code)},
                 {"detail", detail}};
    for (const fault& each : faults)
        told["errors"].push_back({{"field", each.field}, {"detail", each.detail}});
    auto made = http::response::with(text_of(told), "application/problem+json").status(code);
    if (code == http::status::service_unavailable)
        made.header("Retry-After", "1");
    return made;
}

eddy::task<> problem_handler::answer(http::exchange& asked) {
    std::optional<http::response> answered;
    try {
        eddy::prompt_task<> rest = inner_->handle(asked);
        co_await std::move(rest);
    } catch (const invalid_body& error) {
        answered = problem(error.status(), error.what(), error.faults());
    } catch (const http::request_error& error) {
        answered = problem(error.status(), error.what());
    } catch (const store_unavailable& error) {
        answered = problem(http::status::service_unavailable, error.what());
    }
    // Once an answer has begun the router can only cut it short, which exceptions that pass have it do.
    if (answered && !asked.is_answered())
        co_await http::response::send(asked, std::move(*answered));
}

}  // namespace todo
