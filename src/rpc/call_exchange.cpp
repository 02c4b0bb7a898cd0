#include "rpc/call_exchange.hpp"

#include <eddy/http/client/detail/wait_limits.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>

namespace eddy::rpc::detail {
namespace {}  // namespace

task<> call_exchange::ask(call_request& request, bool is_secure) {
    const bool is_small = request.stream == nullptr && request.frame.size() <= carrier_->small_body_max();
    const http::outgoing_head head{
        .text = request.head, .method = http::method::post, .is_secure = is_secure, .body_size = {}};
    // Chosen outside of the await, which g++ 12 needs.
    const std::string_view along = is_small ? request.frame : std::string_view();
    const http::wait_limits no_limits;
    const std::error_code failed = co_await carrier_->send_head(head, along, is_small, no_limits);
    if (!is_small && !failed) {
        if (request.stream != nullptr)
            pieces_.emplace(request.stream->pieces());
        carrier_->set_sending(true);
        sender_ = spawn(send_aside(*this, request.frame), "request of a call");
    }
    // What could not be sent is the reader's to find out: a response may have come before.
    try {
        co_await read_head();
    } catch (...) {
        if (body_error_)
            std::rethrow_exception(body_error_);
        throw;
    }
}

task<> call_exchange::read_head() {
    for (unsigned interim = 0; interim < http::interim_responses_max; ++interim) {
        const http::response_head response = co_await carrier_->read_head();
        if (!http::is_interim(response.status()))
            co_return;
    }
    throw std::system_error(make_error_code(http::http_error::malformed_response),
                            "too many interim answers");
}

task<> call_exchange::send_aside(call_exchange& self, std::string_view frame) {
    std::error_code failed;
    try {
        if (self.pieces_)
            failed = co_await self.send_pieces();
        else
            failed = co_await self.carrier_->send(as_bytes(frame));
        if (!failed)
            failed = co_await self.carrier_->end_body();
    } catch (...) {
        // The reader of the response rethrows it.
        self.body_error_ = std::current_exception();
        self.carrier_->close();
    }
    self.carrier_->set_sending(false);
    if (failed)
        self.pieces_.reset();  // what makes them need not go on
}

task<std::error_code> call_exchange::send_pieces() {
    for (;;) {
        const auto piece = co_await pieces_->next();
        if (!piece)
            co_return std::error_code();
        const std::error_code failed = co_await carrier_->send(*piece);
        if (failed)
            co_return failed;
    }
}

task<std::size_t> call_exchange::read(std::span<std::byte> out) {
    if (pending_.empty()) {
        try {
            pending_ = co_await carrier_->read_body();
        } catch (...) {
            if (body_error_)
                std::rethrow_exception(body_error_);
            throw;
        }
    }
    const std::size_t count = std::min(out.size(), pending_.size());
    std::copy_n(pending_.begin(), count, out.begin());
    pending_ = pending_.subspan(count);
    co_return count;
}

}  // namespace eddy::rpc::detail
