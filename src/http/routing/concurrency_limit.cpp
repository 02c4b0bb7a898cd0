#include <eddy/http/routing/concurrency_limit.hpp>
#include <eddy/http/server/response.hpp>

#include <utility>

namespace eddy::http {

namespace {

class slot {
public:
    explicit slot(std::size_t& taken) noexcept : taken_(taken) { ++taken_; }
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;
    ~slot() { --taken_; }

private:
    std::size_t& taken_;
};

}  // namespace

ready_or_task<> concurrency_limit::handle(exchange& ex, request_handler& next) {
    if (requests_ >= requests_max_)
        return response::send(ex, response::plain(status::service_unavailable)
                                      .header("Retry-After", std::to_string(retry_after_.count())));
    ready_or_task<> rest = next.handle(ex);
    if (rest.is_done())
        return {};
    // It takes its slot before it first waits: this task is awaited at once.
    return finish(std::move(rest));
}

task<> concurrency_limit::finish(ready_or_task<> rest) {
    const slot mine(requests_);
    co_await std::move(rest);
}

}  // namespace eddy::http
