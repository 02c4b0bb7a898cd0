#pragma once

#include "http/active_request.hpp"
#include "http/server_state.hpp"

#include <eddy/base/intrusive_list.hpp>
#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::http {

/// One client's connection: waits for requests, has them answered, sends the answers.
class connection : public eddy::detail::list_hook<idle_tag> {
public:
    /// Serves a client until either side has had enough. Nothing is thrown.
    [[nodiscard]] static task<void> serve(server_state& shared, tcp_stream stream);

    // -- for exchange --

    [[nodiscard]] server_state& shared() noexcept { return shared_; }
    /// Writes a head behind the answers that wait; false if these have to be sent first to make room. Throws
    /// std::invalid_argument for a bad field, std::length_error for too many.
    [[nodiscard]] bool try_write_head(const exchange& answered, const answer_fields& fields,
                                      std::uint64_t size);
    /// Adds bytes to the answers that wait if there is room.
    [[nodiscard]] bool try_append(std::string_view bytes) noexcept;
    /// Sends the answers that wait, and `bytes` behind them.
    [[nodiscard]] task<void> send(std::string_view bytes);

    /// Ends the wait for a request, for drain().
    void close() noexcept { stream_.close(); }

private:
    connection(server_state& shared, tcp_stream stream) noexcept
        : shared_(shared), stream_(std::move(stream)) {}

    /// Bytes that have arrived and belong to no finished request yet.
    class input;
    enum class after : std::uint8_t { keep, close, linger };

    [[nodiscard]] task<after> serve_requests(buffer_lease first);
    /// Settles whether the connection can go on after this request.
    request_head begin_request(request_head request) noexcept;
    [[nodiscard]] prompt_task<> answer_request(exchange& asked);
    [[nodiscard]] task<void> finish_answer(exchange& asked, prompt_task<> rest);
    [[nodiscard]] task<void> fail_request(exchange& asked);
    /// Takes the request off the input, and what of its body nobody has read.
    [[nodiscard]] prompt_task<after> end_request(exchange& asked, input& received, std::size_t head_size);
    [[nodiscard]] task<after> end_request_slowly(exchange& asked, input& received, std::size_t head_size);
    /// False if the connection cannot go on.
    [[nodiscard]] task<bool> discard_body(input& received, request_head request, std::size_t head_size);
    [[nodiscard]] task<void> refuse(status code, std::string_view reason);
    [[nodiscard]] bool try_write_refusal(status code, std::size_t body_size);
    /// Ends the connection in good order: what was sent arrives, whatever the client still sends.
    [[nodiscard]] task<void> linger();
    [[nodiscard]] duration write_timeout() const noexcept { return shared_.options.write_timeout(); }
    /// A head with the fields that every answer has. Throws std::bad_alloc.
    [[nodiscard]] response_head_writer begin_head(status code);

    server_state& shared_;
    tcp_stream stream_;
    active_requests::holder active_;
    bool keeps_alive_ = true;
    bool tells_keep_alive_ = false;  // to a client of HTTP/1.0
    bool is_broken_ = false;         // a write has failed
};

}  // namespace eddy::http
