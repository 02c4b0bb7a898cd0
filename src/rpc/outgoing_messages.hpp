#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace eddy::rpc {

/// The messages of a request that is a stream, between the task that writes them and the one that sends them: what
/// gathers while a piece is being sent is the next one.
class outgoing_messages {
public:
    outgoing_messages() = default;
    outgoing_messages(const outgoing_messages&) = delete;
    outgoing_messages& operator=(const outgoing_messages&) = delete;
    ~outgoing_messages() = default;

    /// Waits until there is room. False where nothing is sent any more.
    [[nodiscard]] task<bool> add(std::string frame);
    /// Nothing follows.
    void finish() noexcept;
    /// Nothing is sent any more.
    void close() noexcept;

    /// What is sent. Requires: this outlives it. Called once.
    [[nodiscard]] async_generator<std::span<const std::byte>> pieces();

private:
    class sending;

    static constexpr std::size_t gathered_bytes_max = std::size_t{64} * 1024;

    std::string gathered_;
    std::string sent_;
    auto_reset_event added_;
    auto_reset_event taken_;
    bool is_finished_ = false;
    bool is_closed_ = false;
};

}  // namespace eddy::rpc
