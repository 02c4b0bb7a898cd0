#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace eddy::rpc {

/// The messages of a request that is a stream, between the task that writes them and those that send them: one for each
/// attempt of the call. What gathers while a piece is being sent is the next one. All is kept until it is known that
/// no other attempt will follow, or until it is too much.
class outgoing_messages {
public:
    explicit outgoing_messages(std::size_t kept_bytes_max) noexcept : kept_bytes_max_(kept_bytes_max) {}
    outgoing_messages(const outgoing_messages&) = delete;
    outgoing_messages& operator=(const outgoing_messages&) = delete;
    ~outgoing_messages() = default;

    /// Waits until there is room. False where nothing is sent any more.
    [[nodiscard]] task<bool> add(std::string frame);
    /// Nothing follows.
    void finish() noexcept;
    /// Nothing is sent any more.
    void close() noexcept;

    /// What an attempt sends, from the beginning. Requires: may_repeat(); this outlives it.
    [[nodiscard]] async_generator<std::span<const std::byte>> pieces();
    /// Whether everything is still there.
    [[nodiscard]] bool may_repeat() const noexcept { return !is_committed_; }
    /// No attempt follows, and one at most is under way.
    void commit() noexcept;

private:
    class reader;

    static constexpr std::size_t gathered_bytes_max = std::size_t{64} * 1024;

    [[nodiscard]] std::uint64_t total() const noexcept { return kept_from_ + kept_.size(); }
    [[nodiscard]] std::size_t unsent() const noexcept;
    /// Chooses the reader that has come furthest.
    void choose() noexcept;
    void take(reader& for_whom, std::string& piece);

    std::size_t kept_bytes_max_;
    std::string kept_;
    std::uint64_t kept_from_ = 0;
    std::vector<reader*> readers_;
    event<> added_;  // set, and reset at once
    auto_reset_event taken_;
    bool has_begun_ = false;
    bool is_finished_ = false;
    bool is_committed_ = false;
    bool is_closed_ = false;
};

}  // namespace eddy::rpc
