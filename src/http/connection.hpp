#pragma once

#include "http/active_request.hpp"
#include "http/answer_framing.hpp"
#include "http/server_state.hpp"

#include <eddy/base/intrusive_list.hpp>
#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/connection_info.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/runtime/deadline.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <system_error>

namespace eddy::http {

/// One client's connection: waits for requests, has them answered, sends the answers.
class connection : public eddy::detail::list_hook<idle_tag> {
public:
    /// Serves a client until either side has had enough. Nothing is thrown. `info`: null if it may be found
    /// out when it is asked for.
    [[nodiscard]] static task<void> serve(server_state& shared, any_stream stream,
                                          std::unique_ptr<connection_info> info,
                                          address_counts::place place = {});
    /// Answers whatever the client asks with one status, and ends.
    [[nodiscard]] static task<void> turn_away(server_state& shared, any_stream stream, status code,
                                              std::string_view reason);

    // -- for exchange and request_body --

    [[nodiscard]] server_state& shared() noexcept { return shared_; }
    [[nodiscard]] active_request& active() noexcept { return *active_; }
    [[nodiscard]] const connection_info& info();
    /// What has arrived behind the head of the request.
    [[nodiscard]] std::string_view behind_head() const noexcept {
        return active_->received.bytes().substr(head_size_);
    }
    /// Writes a head behind the answers that wait; false if these have to be sent first to make room. Throws
    /// std::invalid_argument for a bad field, std::length_error for too many.
    [[nodiscard]] bool try_write_head(exchange& answered, const answer_fields& fields, answer_framing body);
    /// Adds bytes to the answers that wait if there is room.
    [[nodiscard]] bool try_append(std::string_view bytes) noexcept;
    /// The same as a chunk (RFC 9112 section 7.1).
    [[nodiscard]] bool try_append_chunk(std::string_view bytes) noexcept;
    /// The beginning of a chunk. Requires: nothing waits.
    void append_chunk_head(std::size_t bytes) noexcept;
    [[nodiscard]] bool has_output() const noexcept { return !active_->output().empty(); }
    /// Sends the answers that wait, and `bytes` behind them.
    [[nodiscard]] task<void> send(std::string_view bytes);
    /// Whether the stream is one to which the system moves a file's bytes by itself.
    [[nodiscard]] bool can_send_file() const noexcept;
    /// Sends the answers that wait, and behind them bytes of a file, which do not come into the program;
    /// gives how many of these. Fewer than asked where the next ones must come through memory: the device
    /// would have to be waited for, the system refuses to move them, the file has ended, or there is an
    /// error, which then shows there. Dropped: nothing is under way, and the answer is incomplete. Requires:
    /// can_send_file().
    [[nodiscard]] task<std::uint64_t> send_file(const file& content, std::uint64_t offset,
                                                std::uint64_t size);
    /// Sends what the client may wait for before it sends more.
    [[nodiscard]] prompt_task<> prepare_to_wait(bool tells_to_continue);
    /// The next bytes from the client.
    [[nodiscard]] auto receive_until(time_point deadline) noexcept {
        return stream_.read_leased_until(deadline);
    }
    /// More of them, if they have arrived and can be had straight in `out`. 0 says nothing.
    [[nodiscard]] std::size_t try_receive(std::span<std::byte> out) { return stream_.try_read(out); }
    /// The stream, for copies that the system makes.
    [[nodiscard]] any_stream& stream() noexcept { return stream_; }
    [[nodiscard]] bool is_broken() const noexcept { return is_broken_; }
    void note_broken() noexcept { is_broken_ = true; }
    /// Gives the stream away. The job belongs to the scope of the drain from now on.
    [[nodiscard]] any_stream hand_over();

    /// Ends the wait for a request, for drain().
    void close() noexcept { stream_.close(); }

private:
    connection(server_state& shared, any_stream stream, std::unique_ptr<connection_info> info,
               address_counts::place place) noexcept
        : shared_(shared), stream_(std::move(stream)), info_(std::move(info)), place_(std::move(place)) {}

    enum class after : std::uint8_t { keep, close, linger };

    [[nodiscard]] task<after> serve_requests();
    /// Settles whether the connection can go on after this request.
    request_head begin_request(request_head request) noexcept;
    [[nodiscard]] prompt_task<> answer_request(exchange& asked);
    [[nodiscard]] task<void> finish_answer(exchange& asked, prompt_task<> rest);
    [[nodiscard]] task<void> fail_request(exchange& asked, std::exception_ptr failure);
    /// Takes the request off the input, and what of its body nobody has read.
    [[nodiscard]] prompt_task<after> end_request(exchange& asked);
    [[nodiscard]] task<after> end_request_slowly(exchange& asked);
    void take_off(const request_body& body);
    /// Whether what is left of the request's body is worth reading.
    [[nodiscard]] bool can_read_on(const exchange& answered) const noexcept;
    [[nodiscard]] task<void> refuse(status code, std::string_view reason);
    [[nodiscard]] bool try_write_refusal(status code, std::size_t body_size);
    /// Ends the connection in good order: what was sent arrives, whatever the client still sends.
    [[nodiscard]] task<void> linger();
    [[nodiscard]] time_point after_now(duration length) const noexcept {
        return eddy::detail::deadline_after(shared_.home.turn_time(), length);
    }
    /// Until when some more of an answer must be taken, of which so much was sent since it began.
    [[nodiscard]] time_point write_deadline(time_point began, std::uint64_t sent_bytes) const noexcept;
    [[noreturn]] void fail_write(std::error_code error);

    server_state& shared_;
    any_stream stream_;
    active_requests::holder active_;
    std::unique_ptr<connection_info> info_;
    address_counts::place place_;
    std::uint32_t head_size_ = 0;
    bool keeps_alive_ = true;
    bool tells_keep_alive_ = false;  // to a client of HTTP/1.0
    bool is_broken_ = false;         // a write has failed, was dropped, or is under way
};

}  // namespace eddy::http
