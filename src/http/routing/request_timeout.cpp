#include <eddy/combine/with_timeout.hpp>
#include <eddy/http/routing/request_timeout.hpp>
#include <eddy/http/server/response.hpp>

#include <exception>
#include <memory>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// Notes whether it came to its end, so that an error of its own is not taken for the limit's.
task<> note_end(ready_or_task<> rest, bool& has_ended) {
    try {
        co_await std::move(rest);
    } catch (...) {
        has_ended = true;
        throw;
    }
    has_ended = true;
}

}  // namespace

ready_or_task<> request_timeout::handle(exchange& ex, request_handler& next) {
    ready_or_task<> rest = next.handle(ex);
    if (rest.is_done())
        return {};
    return wait(ex, std::move(rest));
}

task<> request_timeout::wait(exchange& ex, ready_or_task<> rest) {
    bool has_ended = false;
    try {
        co_await with_timeout(note_end(std::move(rest), has_ended), limit_);
        co_return;
    } catch (const std::system_error&) {
        if (has_ended || ex.has_responded())
            throw;
    }
    ex.close_after_response();  // a body that was being read is left in the middle
    co_await response::send(ex, response::plain(code_));
}

}  // namespace eddy::http
