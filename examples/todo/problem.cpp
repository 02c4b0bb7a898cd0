#include "problem.hpp"

#include "store.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace todo {

namespace {

namespace http = eddy::http;
using nlohmann::json;

// What clients have sent may be no UTF-8 where it is quoted.
std::string problem_text(const json& reported) {
    return reported.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

http::response problem(http::status code, std::string_view detail, std::span<const fault> faults) {
    json reported = {{"type", "about:blank"},
                     {"title", http::reason_phrase(code)},
                     {"status", http::to_number(code)},
                     {"detail", detail}};
    for (const fault& each : faults)
        reported["errors"].push_back({{"field", each.field}, {"detail", each.detail}});
    auto made = http::response::with(problem_text(reported), "application/problem+json").status(code);
    if (code == http::status::service_unavailable)
        made.header("Retry-After", "1");
    return made;
}

eddy::task<> problem_handler::answer(http::exchange& ex) {
    std::optional<http::response> answered;
    try {
        eddy::ready_or_task<> rest = inner_->handle(ex);
        co_await std::move(rest);
    } catch (const invalid_body& error) {
        answered = problem(error.status(), error.what(), error.faults());
    } catch (const http::request_error& error) {
        answered = problem(error.status(), error.what());
    } catch (const store_unavailable& error) {
        answered = problem(http::status::service_unavailable, error.what());
    }
    // Once a response has begun the router can only cut it short, which exceptions that pass have it do.
    if (answered && !ex.has_responded())
        co_await http::response::send(ex, std::move(*answered));
}

}  // namespace todo
