#include "http/client/client_exchange.hpp"

#include <eddy/http/client/client_response.hpp>

namespace eddy::http {

client_response::client_response(std::unique_ptr<client_exchange> exchange, http::url from) noexcept
    : body_(std::move(exchange)), url_(std::move(from)) {}
client_response::client_response(client_response&&) noexcept = default;
client_response& client_response::operator=(client_response&&) noexcept = default;
client_response::~client_response() = default;

response_head client_response::head() const noexcept {
    return body_.exchange_->head();
}

}  // namespace eddy::http
