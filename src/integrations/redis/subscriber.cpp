#include "integrations/redis/subscriber_state.hpp"

#include <eddy/integrations/redis/subscriber.hpp>

#include <utility>

namespace eddy::redis {

using detail::subscription_kind;

subscriber::subscriber(options wanted, std::size_t messages_max)
    : state_(std::make_unique<detail::subscriber_state>(std::move(wanted), messages_max)) {}
subscriber::subscriber(subscriber&&) noexcept = default;
subscriber& subscriber::operator=(subscriber&&) noexcept = default;
subscriber::~subscriber() = default;

task<> subscriber::subscribe(std::string channel) {
    return state_->subscribe(subscription_kind::channel, std::move(channel));
}
task<> subscriber::subscribe_pattern(std::string pattern) {
    return state_->subscribe(subscription_kind::pattern, std::move(pattern));
}
void subscriber::unsubscribe(const std::string& channel) {
    state_->unsubscribe(subscription_kind::channel, channel);
}
void subscriber::unsubscribe_pattern(const std::string& pattern) {
    state_->unsubscribe(subscription_kind::pattern, pattern);
}

async_generator<message> subscriber::messages() {
    detail::subscriber_state& from = *state_;
    for (;;) {
        std::optional<message> next = co_await from.messages.recv();
        if (!next)
            break;
        co_yield *std::move(next);
    }
    from.throw_if_failed();
}

receive_operation<message> subscriber::receive() {
    return state_->messages.recv();
}

bool subscriber::is_connected() const noexcept {
    return state_->is_connected();
}

}  // namespace eddy::redis
