#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/sync/channel.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace eddy::redis {

namespace detail {
class subscriber_state;
}

/// What was published on a channel. `pattern` is empty unless the channel was subscribed to by it.
class message {
public:
    /// Made by the subscriber.
    message(std::string on, std::string by, std::string said) noexcept
        : channel(std::move(on)), pattern(std::move(by)), payload(std::move(said)) {}

    /// The channel that it was sent to.
    std::string channel;
    /// The pattern by which it came; empty if by the channel's name.
    std::string pattern;
    /// What was sent.
    std::string payload;
};

/// Receives what is published (https://redis.io/docs/interact/pubsub/), on a connection of its own.
///
///     redis::subscriber news(redis::options());
///     co_await news.subscribe("weather");
///     auto messages = news.messages();
///     while (auto next = co_await messages.next())
///         use(next->payload);
///
/// - Subscriptions may be added and removed at any time, by other tasks too.
/// - A connection that is lost is made again, with growing pauses (options::pauses()), and subscribed as
///   before: options::on_event() is called, with `connected` once all subscriptions hold again. What was
///   published meanwhile is not received: Redis does not keep it.
/// - Back-pressure: while `messages_max` wait nothing is read from the server, which cuts off clients that
///   leave too much unread (client-output-buffer-limit pubsub).
/// - Errors: an error that no attempt can mend (a wrong password) ends it: messages() throws it, after the
///   messages before it, and so does every subscribe().
/// - Ownership: owns the connection and the task that keeps it; moves, does not copy. It outlives the
///   operations on it. Destroying it closes the connection.
/// - Thread safety: none; it belongs to the worker that made it.
class subscriber {
public:
    /// Begins to connect. Requires: the caller is on a worker.
    explicit subscriber(options wanted, std::size_t messages_max = 1024);
    subscriber(subscriber&&) noexcept;
    subscriber& operator=(subscriber&&) noexcept;
    ~subscriber();

    /// Subscribes to a channel, or to all whose names match a pattern (`news.*`), and waits until the server
    /// has confirmed it: what is published from then on is received. While the server is away it waits; wrap
    /// it in with_timeout(). Throws redis::error if the server refuses this one. Dropped: it stays
    /// subscribed.
    [[nodiscard]] task<> subscribe(std::string channel);
    /// As subscribe(), to all channels that fit. Dropped: it stays subscribed.
    [[nodiscard]] task<> subscribe_pattern(std::string pattern);
    /// Does not wait. Nothing of that channel is received any more but what waits already.
    void unsubscribe(const std::string& channel);
    /// Ends a subscription by pattern.
    void unsubscribe_pattern(const std::string& pattern);

    /// All messages, until it ends with an error. Requires: it does not outlive this. A dropped generator
    /// loses only messages that it has yielded.
    [[nodiscard]] async_generator<message> messages();
    /// The next message; nothing if an error has ended this. Awaited, it may be dropped and loses nothing.
    [[nodiscard]] receive_operation<message> receive();

    /// Whether all subscriptions hold.
    [[nodiscard]] bool is_connected() const noexcept;

private:
    std::unique_ptr<detail::subscriber_state> state_;
};

}  // namespace eddy::redis
