#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/rpc/call_credentials.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc {

class server_call;

/// What a client learns of a call beside its replies. See call_options::info().
class call_info {
public:
    /// What came before the messages; known once the first reply, or the end, has been awaited.
    [[nodiscard]] const metadata& initial_metadata() const noexcept { return initial_; }
    /// What came behind the messages; known once the call has ended.
    [[nodiscard]] const metadata& trailing_metadata() const noexcept { return trailing_; }
    /// Whether the reply that was awaited last was compressed.
    [[nodiscard]] bool was_compressed() const noexcept { return was_compressed_; }
    /// How often the request was sent, or was about to be. Known once the response has begun, as what follows.
    [[nodiscard]] unsigned attempts() const noexcept { return attempts_; }
    /// Bytes of the request's messages as they went, with their prefixes: once, however often they were sent.
    [[nodiscard]] std::uint64_t bytes_sent() const noexcept { return bytes_sent_; }
    /// Bytes of the response's messages as they came, with their prefixes; all of them once the call has ended.
    [[nodiscard]] std::uint64_t bytes_received() const noexcept { return bytes_received_; }

    // -- for the library --

    /// Is called by the channel.
    void set_counts(unsigned attempts, std::uint64_t bytes_sent, std::uint64_t bytes_received) noexcept {
        attempts_ = attempts;
        bytes_sent_ = bytes_sent;
        bytes_received_ = bytes_received;
    }

    /// Is called by the channel.
    void set_initial_metadata(metadata arrived) noexcept { initial_ = std::move(arrived); }
    /// Is called by the channel.
    void set_trailing_metadata(metadata arrived) noexcept { trailing_ = std::move(arrived); }
    /// Is called by the channel.
    void set_was_compressed(bool was) noexcept { was_compressed_ = was; }

private:
    metadata initial_;
    metadata trailing_;
    std::uint64_t bytes_sent_ = 0;
    std::uint64_t bytes_received_ = 0;
    unsigned attempts_ = 0;
    bool was_compressed_ = false;
};

/// How a client makes one call. A value; setters chain.
///
///     co_await client.get_feature(at, rpc::call_options().timeout(1s).metadata("x-trace", id));
class call_options {
public:
    call_options() = default;

    /// For a call that the handler of `served` makes: with its deadline, and its traceparent and tracestate.
    explicit call_options(const server_call& served);

    /// Adds metadata to the request. Throws std::invalid_argument as metadata::add() does.
    call_options& metadata(std::string_view name, std::string_view value) {
        metadata_.add(name, value);
        return *this;
    }
    call_options& metadata(rpc::metadata all) noexcept {
        metadata_ = std::move(all);
        return *this;
    }
    /// Ends the call at this moment, on both sides, with DEADLINE_EXCEEDED. None by default.
    call_options& deadline(time_point at) noexcept {
        deadline_ = at;
        return *this;
    }
    /// The same, so long after the call was made.
    call_options& timeout(duration length) noexcept {
        timeout_ = length;
        return *this;
    }
    /// Waits until there is a connection, as long as the deadline allows, where a call otherwise fails with
    /// UNAVAILABLE. A service config decides where nothing is said.
    call_options& wait_for_ready(bool is_on) noexcept {
        waits_for_ready_ = is_on;
        return *this;
    }
    /// Behind those of the channel.
    call_options& credentials(call_credentials by) noexcept {
        credentials_ = std::move(by);
        return *this;
    }
    /// How messages of this call are compressed, in place of the channel's way.
    call_options& compression(rpc::compression way) noexcept {
        compression_ = way;
        return *this;
    }
    /// The format of the messages, in place of the channel's, or the codec's own: "json".
    call_options& subtype(std::string name) noexcept {
        subtype_ = std::move(name);
        return *this;
    }
    /// Limits of one message, in place of the channel's. Beyond: RESOURCE_EXHAUSTED.
    call_options& receive_bytes_max(std::size_t bytes) noexcept {
        receive_bytes_max_ = bytes;
        return *this;
    }
    /// The longest message that is sent.
    call_options& send_bytes_max(std::size_t bytes) noexcept {
        send_bytes_max_ = bytes;
        return *this;
    }
    /// Where metadata of the response go. Requires: it outlives the call.
    call_options& info(call_info* to) noexcept {
        info_ = to;
        return *this;
    }

    [[nodiscard]] const rpc::metadata& metadata() const noexcept { return metadata_; }
    [[nodiscard]] const std::optional<time_point>& deadline() const noexcept { return deadline_; }
    [[nodiscard]] const std::optional<duration>& timeout() const noexcept { return timeout_; }
    [[nodiscard]] std::optional<bool> wait_for_ready() const noexcept { return waits_for_ready_; }
    [[nodiscard]] const call_credentials& credentials() const noexcept { return credentials_; }
    [[nodiscard]] const std::optional<rpc::compression>& compression() const noexcept { return compression_; }
    [[nodiscard]] const std::string& subtype() const noexcept { return subtype_; }
    [[nodiscard]] const std::optional<std::size_t>& receive_bytes_max() const noexcept {
        return receive_bytes_max_;
    }
    [[nodiscard]] const std::optional<std::size_t>& send_bytes_max() const noexcept {
        return send_bytes_max_;
    }
    [[nodiscard]] call_info* info() const noexcept { return info_; }

private:
    rpc::metadata metadata_;
    std::optional<time_point> deadline_;
    std::optional<duration> timeout_;
    std::optional<rpc::compression> compression_;
    std::string subtype_;
    std::optional<std::size_t> receive_bytes_max_;
    std::optional<std::size_t> send_bytes_max_;
    call_info* info_ = nullptr;
    call_credentials credentials_;
    std::optional<bool> waits_for_ready_;
};

}  // namespace eddy::rpc
