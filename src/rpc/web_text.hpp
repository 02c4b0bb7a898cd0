#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace eddy::rpc::detail {

/// The bytes of a body in gRPC-Web's text form (PROTOCOL-WEB.md): base64, of pieces that were encoded each by itself, so
/// that padding may stand between any two of them.
class web_text {
public:
    /// The text that has come. Throws rpc::error for what is no base64.
    void add(std::string_view text);
    /// Whether it may end here.
    [[nodiscard]] bool is_whole() const noexcept { return waiting_.empty(); }

    [[nodiscard]] bool empty() const noexcept { return taken_ == bytes_.size(); }
    /// Copies what fits of the bytes that were not taken yet; returns their number.
    [[nodiscard]] std::size_t take(std::span<std::byte> out) noexcept;

private:
    std::string waiting_;  // less than four characters
    std::string bytes_;
    std::size_t taken_ = 0;
};

}  // namespace eddy::rpc::detail
