#include "common/listeners.hpp"

#include <eddy/runtime/sleep.hpp>

#include <exception>
#include <utility>

namespace eddy::apps {

task<> listeners::open(endpoint wanted) {
    // Without sharing, so that it fails if the port is taken.
    where_ = tcp_listener::bind(wanted).local_endpoint();
    // The worker's next turn has closed that one.
    co_await sleep_for(duration::zero());
    auto opening = runtime_.run_on_each([this](std::size_t worker) { return open_on(worker); });
    std::exception_ptr failure;
    for (auto& one : opening) {
        try {
            co_await one;
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (!failure)
        co_return;
    auto closing = runtime_.run_on_each([this](std::size_t worker) { return close_on(worker); });
    for (auto& one : closing)
        co_await one;
    std::rethrow_exception(failure);
}

tcp_listener listeners::take(std::size_t worker) {
    tcp_listener taken = std::move(*waiting_[worker]);
    waiting_[worker].reset();
    return taken;
}

task<> listeners::open_on(std::size_t worker) {
    waiting_[worker].emplace(tcp_listener::bind(where_, listen_options().reuse_port(true)));
    co_return;
}

task<> listeners::close_on(std::size_t worker) {
    waiting_[worker].reset();
    co_return;
}

}  // namespace eddy::apps
