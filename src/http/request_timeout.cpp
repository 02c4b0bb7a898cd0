#include <eddy/combine/with_timeout.hpp>
#include <eddy/http/request_timeout.hpp>
#include <eddy/http/response.hpp>

#include <exception>
#include <memory>
#include <system_error>
#include <utility>

namespace eddy::http {

namespace {

// Notes whether it came to its end, so that an error of its own is not taken for the limit's.
task<> note_end(prompt_task<> rest, bool& has_ended) {
    try {
        co_await std::move(rest);
    } catch (...) {
        has_ended = true;
        throw;
    }
    has_ended = true;
}

}  // namespace

prompt_task<> request_timeout::handle(exchange& asked, request_handler& next) {
    prompt_task<> rest = next.handle(asked);
    if (rest.is_done())
        return {};
    return wait(asked, std::move(rest));
}

task<> request_timeout::wait(exchange& asked, prompt_task<> rest) {
    bool has_ended = false;
    try {
        co_await with_timeout(note_end(std::move(rest), has_ended), limit_);
        co_return;
    } catch (const std::system_error&) {
        if (has_ended || asked.is_answered())
            throw;
    }
    asked.close_after_answer();  // a body that was being read is left in the middle
    co_await response::send(asked, response::plain(code_));
}

}  // namespace eddy::http
