#include <eddy/http/access_log.hpp>

#include <new>
#include <utility>

namespace eddy::http {

namespace {

constexpr unsigned client_closed_request = 499;  // as other servers log it

}  // namespace

/// Tells of a request when its task ends, also if it is dropped.
class access_log::entry {
public:
    entry(access_log& log, exchange& asked) noexcept : log_(log), asked_(asked) {}
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    ~entry() { log_.tell(asked_, is_over_ ? to_number(asked_.answered_status()) : client_closed_request); }
    void end() noexcept { is_over_ = true; }

private:
    access_log& log_;
    exchange& asked_;
    bool is_over_ = false;
};

prompt_task<> access_log::handle(exchange& asked, request_handler& next) {
    prompt_task<> rest = next.handle(asked);
    if (!rest.is_done())
        return finish(asked, std::move(rest));
    tell(asked, to_number(asked.answered_status()));
    return {};
}

task<> access_log::finish(exchange& asked, prompt_task<> rest) {
    entry told(*this, asked);
    try {
        co_await std::move(rest);
    } catch (...) {
        told.end();
        throw;
    }
    told.end();
}

void access_log::tell(exchange& asked, unsigned status_code) {
    try {
        sink_(line_.write(asked, status_code));
    } catch (const std::bad_alloc&) {
        // A line is lost; the answer is not.
    }
}

}  // namespace eddy::http
