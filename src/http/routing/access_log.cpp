#include "http/routing/client_closed_request.hpp"

#include <eddy/http/routing/access_log.hpp>

#include <new>
#include <utility>

namespace eddy::http {

/// Logs a request when its task ends, also if it is dropped.
class access_log::entry {
public:
    entry(access_log& log, exchange& ex) noexcept : log_(log), requested_(ex) {}
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    ~entry() {
        log_.tell(requested_, is_over_ ? to_number(requested_.response_status()) : client_closed_request);
    }
    void end() noexcept { is_over_ = true; }

private:
    access_log& log_;
    exchange& requested_;
    bool is_over_ = false;
};

ready_or_task<> access_log::handle(exchange& ex, request_handler& next) {
    ready_or_task<> rest = next.handle(ex);
    if (!rest.is_done())
        return finish(ex, std::move(rest));
    tell(ex, to_number(ex.response_status()));
    return {};
}

task<> access_log::finish(exchange& ex, ready_or_task<> rest) {
    entry reported(*this, ex);
    try {
        co_await std::move(rest);
    } catch (...) {
        reported.end();
        throw;
    }
    reported.end();
}

void access_log::tell(exchange& ex, unsigned status_code) {
    try {
        sink_(line_.write(ex, status_code));
    } catch (const std::bad_alloc&) {
        // A line is lost; the response is not.
    }
}

}  // namespace eddy::http
