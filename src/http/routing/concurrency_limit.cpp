#include <eddy/http/routing/concurrency_limit.hpp>
#include <eddy/http/server/response.hpp>

#include <utility>

namespace eddy::http {

namespace {

class place {
public:
    explicit place(std::size_t& taken) noexcept : taken_(taken) { ++taken_; }
    place(const place&) = delete;
    place& operator=(const place&) = delete;
    ~place() { --taken_; }

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
    // It takes its place before it first waits: this task is awaited at once.
    return finish(std::move(rest));
}

task<> concurrency_limit::finish(ready_or_task<> rest) {
    const place mine(requests_);
    co_await std::move(rest);
}

}  // namespace eddy::http
