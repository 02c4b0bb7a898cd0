#include "http/client/client_exchange.hpp"

#include <eddy/http/client/detail/upgraded_stream.hpp>

namespace eddy::http {

upgraded_stream::upgraded_stream(std::unique_ptr<client_exchange> exchange, any_stream stream) noexcept
    : exchange_(std::move(exchange)), stream_(std::move(stream)) {}
upgraded_stream::upgraded_stream(upgraded_stream&&) noexcept = default;
upgraded_stream& upgraded_stream::operator=(upgraded_stream&&) noexcept = default;
upgraded_stream::~upgraded_stream() = default;

response_head upgraded_stream::head() const noexcept {
    return exchange_->head();
}

}  // namespace eddy::http
