#include "common/listeners.hpp"

#include <eddy/runtime/on.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cstddef>
#include <exception>
#include <utility>

namespace eddy::apps {

task<> listeners::open(endpoint wanted) {
    // Without sharing, so that it fails if the port is taken.
    where_ = tcp_listener::bind(wanted).local_endpoint();
    // The worker's next turn has closed that one.
    co_await sleep_for(duration::zero());
    std::exception_ptr failure;
    try {
        co_await on_each(&listeners::open_on);
    } catch (...) {
        failure = std::current_exception();
    }
    if (!failure)
        co_return;
    co_await on_each(&listeners::close_on);
    std::rethrow_exception(failure);
}

task<> listeners::on_each(step taken) {
    for (std::size_t worker = 0; worker < waiting_.size(); ++worker)
        co_await on(worker, taken, this, worker);
}

tcp_listener listeners::take(std::size_t worker) {
    tcp_listener taken = std::move(*waiting_[worker]);
    waiting_[worker].reset();
    return taken;
}

void listeners::open_on(std::size_t worker) {
    waiting_[worker].emplace(tcp_listener::bind(where_, listen_options().reuse_port(true)));
}

void listeners::close_on(std::size_t worker) {
    waiting_[worker].reset();
}

}  // namespace eddy::apps
