#include "http/server/handled_exchange.hpp"

#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/server/detail/exchange_stream.hpp>
#include <eddy/http/server/request_error.hpp>

#include <array>
#include <string>
#include <utility>

namespace eddy::http {

task<void> finish_response(exchange& ex, response_writer& response, ready_or_task<> rest) {
    std::exception_ptr failure;
    try {
        co_await std::move(rest);
        if (response.is_incomplete())
            response.close_afterwards();
        else if (response.has_open_end())
            co_await response.finish();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure != nullptr || !response.has_begun())
        co_await fail_request(ex, response, std::move(failure));
}

task<void> fail_request(exchange& ex, response_writer& response, std::exception_ptr failure) {
    status code = status::internal_server_error;
    std::string text;
    try {
        if (failure != nullptr)
            std::rethrow_exception(failure);
    } catch (const request_error& error) {
        code = error.status();
        text = error.what();
        text += '\n';
    } catch (const stream_reset_error& wanted) {
        co_return response.cut_short(wanted.reset_code());
    } catch (...) {
    }
    if (text.empty()) {
        ex.report_failure(failure);
        response.close_afterwards();
    }
    failure = nullptr;
    if (response.has_begun()) {
        response.close_afterwards();
        response.cut_short();
        co_return;
    }
    if (response.stream().is_broken())
        co_return;
    response.drop_filter();
    const std::array<response_field, 1> fields = {
        response_field("Content-Type", "text/plain; charset=utf-8")};
    const response_fields typed = text.empty() ? response_fields() : response_fields(fields);
    co_await response.respond(code, typed, text);
}

}  // namespace eddy::http
