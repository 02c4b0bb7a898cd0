#include "http/message/characters.hpp"

#include <eddy/http/routing/request_id.hpp>
#include <eddy/runtime/detail/current_system.hpp>

#include <algorithm>
#include <array>

namespace eddy::http {

namespace {

constexpr std::size_t id_size_max = 128;

}  // namespace

request_ids::request_ids(bool accepts) : accepts_(accepts) {
    prefix_ = eddy::detail::current_system().randomness->bits();
}

bool request_ids::is_valid(std::string_view id) noexcept {
    return !id.empty() && id.size() <= id_size_max && std::ranges::all_of(id, [](char byte) {
        return is_digit(byte) || (to_lower(byte) >= 'a' && to_lower(byte) <= 'z') || byte == '.' ||
               byte == '_' || byte == '-';
    });
}

std::string request_ids::make() {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, 32> text;
    const std::array<std::uint64_t, 2> parts = {prefix_, ++count_};
    for (std::size_t index = 0; index < text.size(); ++index)
        text[index] = digits[parts[index / 16] >> (60 - index % 16 * 4) & 15];
    return {text.data(), text.size()};
}

ready_or_task<> request_ids::handle(exchange& ex, request_handler& next) {
    const auto sent = accepts_ ? ex.request().find("x-request-id") : std::nullopt;
    request_id& id =
        ex.attributes().emplace<request_id>(sent && is_valid(*sent) ? std::string(*sent) : make());
    ex.add_field("X-Request-Id", id.text());
    return next.handle(ex);
}

}  // namespace eddy::http
