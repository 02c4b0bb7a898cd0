#pragma once

#include "edit.hpp"

#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/request_handler.hpp>
#include <eddy/http/response.hpp>
#include <eddy/http/route_handler.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace todo {

/// An answer that says what is wrong, as RFC 9457 has it (application/problem+json).
[[nodiscard]] eddy::http::response problem(eddy::http::status code, std::string_view detail,
                                           std::span<const fault> faults = {});

/// A handler around another, which answers with problem() what that throws: a request_error with its status,
/// a store_unavailable with 503.
class problem_handler final : public eddy::http::request_handler {
public:
    explicit problem_handler(std::unique_ptr<eddy::http::request_handler> inner) noexcept
        : inner_(std::move(inner)) {}
    [[nodiscard]] eddy::prompt_task<> handle(eddy::http::exchange& asked) override { return answer(asked); }

private:
    [[nodiscard]] eddy::task<> answer(eddy::http::exchange& asked);

    std::unique_ptr<eddy::http::request_handler> inner_;
};

/// The same around a callable, for router::add().
template <class Handler>
[[nodiscard]] std::unique_ptr<eddy::http::request_handler> with_problems(Handler handler) {
    return std::make_unique<problem_handler>(eddy::http::make_route_handler(std::move(handler)));
}

}  // namespace todo
