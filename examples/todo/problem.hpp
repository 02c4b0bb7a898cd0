#pragma once

#include "edit.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/route_handler.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/response.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace todo {

/// A response that says what is wrong, as RFC 9457 has it (application/problem+json).
[[nodiscard]] eddy::http::response problem(eddy::http::status code, std::string_view detail,
                                           std::span<const fault> faults = {});

/// A handler around another, which answers with problem() what that throws: a request_error with its status,
/// a store_unavailable with 503.
class problem_handler final : public eddy::http::request_handler {
public:
    explicit problem_handler(std::unique_ptr<eddy::http::request_handler> inner) noexcept
        : inner_(std::move(inner)) {}
    [[nodiscard]] eddy::ready_or_task<> handle(eddy::http::exchange& ex) override { return answer(ex); }

private:
    [[nodiscard]] eddy::task<> answer(eddy::http::exchange& ex);

    std::unique_ptr<eddy::http::request_handler> inner_;
};

/// The same around a callable, for router::add().
template <class Handler>
[[nodiscard]] std::unique_ptr<eddy::http::request_handler> with_problems(Handler handler) {
    return std::make_unique<problem_handler>(eddy::http::make_route_handler(std::move(handler)));
}

}  // namespace todo
