#include "common/listeners.hpp"

#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

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
    std::vector<remote_handle<>> running;
    for (std::size_t worker = 0; worker < waiting_.size(); ++worker)
        running.push_back(runtime_.spawn_on(worker, (this->*taken)(worker)));
    std::exception_ptr failure;
    for (auto& one : running) {
        try {
            co_await one;
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure)
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
