#include "http/client/client_exchange.hpp"

#include <eddy/http/client/response_body.hpp>
#include <eddy/http/message/http_error.hpp>

#include <algorithm>
#include <cstring>
#include <system_error>

namespace eddy::http {

response_body::response_body(std::unique_ptr<client_exchange> exchange) noexcept
    : exchange_(std::move(exchange)) {}
response_body::response_body(response_body&&) noexcept = default;
response_body& response_body::operator=(response_body&&) noexcept = default;
response_body::~response_body() = default;

task<std::size_t> response_body::read(std::span<std::byte> out) {
    co_await exchange_->fill();
    const auto there = exchange_->pending();
    const std::size_t count = std::min(out.size(), there.size());
    std::copy_n(there.begin(), count, out.begin());
    exchange_->take(count);
    co_return count;
}

task<buffer_lease> response_body::read_leased() {
    co_await exchange_->fill();
    const auto there = exchange_->pending();
    auto memory = std::make_unique_for_overwrite<std::byte[]>(there.size());
    std::ranges::copy(there, memory.get());
    exchange_->take(there.size());
    co_return buffer_lease(std::move(memory), 0, static_cast<std::uint32_t>(there.size()));
}

task<std::string> response_body::read_all(std::size_t bytes_max) {
    std::string text;
    text.reserve(static_cast<std::size_t>(
        std::min<std::uint64_t>({size().value_or(0), bytes_max, std::uint64_t{1} << 20})));
    for (;;) {
        co_await exchange_->fill();
        const auto there = exchange_->pending();
        if (there.empty())
            co_return text;
        if (there.size() > bytes_max - text.size()) {
            exchange_->close();
            throw std::system_error(make_error_code(http_error::body_too_large));
        }
        text.append(as_text(there));
        exchange_->take(there.size());
    }
}

task<bool> response_body::discard(std::uint64_t bytes_max) {
    for (;;) {
        co_await exchange_->fill();
        const std::size_t there = exchange_->pending().size();
        if (there == 0)
            co_return true;
        if (there > bytes_max)
            co_return false;
        bytes_max -= there;
        exchange_->take(there);
    }
}

std::optional<std::uint64_t> response_body::size() const noexcept {
    return exchange_->size();
}

bool response_body::is_over() const noexcept {
    return exchange_->is_over();
}

const std::vector<std::pair<std::string, std::string>>& response_body::trailers() const noexcept {
    return exchange_->trailers();
}

}  // namespace eddy::http
