#include "rpc/web_text.hpp"

#include "http/message/base64.hpp"

#include <eddy/rpc/status.hpp>

#include <algorithm>
#include <cstring>

namespace eddy::rpc::detail {

// Four characters are three bytes, or fewer where a piece ends.
constexpr std::size_t group_size = 4;

void web_text::add(std::string_view text) {
    if (empty()) {
        bytes_.clear();
        taken_ = 0;
    }
    waiting_ += text;
    const std::size_t whole = waiting_.size() - waiting_.size() % group_size;
    std::string_view rest(waiting_.data(), whole);
    while (!rest.empty()) {
        const std::size_t padding = rest.find('=');
        const std::size_t size =
            padding == std::string_view::npos ? rest.size() : padding - padding % group_size + group_size;
        const auto piece = http::base64_decode(rest.substr(0, size));
        if (!piece)
            throw error(status_code::internal, "a request that is no base64");
        bytes_ += *piece;
        rest.remove_prefix(size);
    }
    waiting_.erase(0, whole);
}

std::size_t web_text::take(std::span<std::byte> out) noexcept {
    const std::size_t count = std::min(out.size(), bytes_.size() - taken_);
    std::memcpy(out.data(), bytes_.data() + taken_, count);
    taken_ += count;
    return count;
}

}  // namespace eddy::rpc::detail
