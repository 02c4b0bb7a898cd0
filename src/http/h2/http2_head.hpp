#pragma once

#include <eddy/http/message/detail/error.hpp>
#include <eddy/http/message/detail/head_layout.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/status.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace eddy::http {

/// The texts of a head that comes as the fields of a HEADERS frame, and where its lines stand. nghttp2 has checked
/// the order and the characters of fields.
class http2_head {
public:
    /// What is wrong with it, once something is.
    [[nodiscard]] const message_error& error() const noexcept { return error_; }
    /// How large the list of fields is by RFC 9113 section 6.5.2, what was left out included.
    [[nodiscard]] std::size_t list_bytes() const noexcept { return list_bytes_; }
    /// Whether the list is so large that the connection has to end: fields beyond the limit are left out, up to four
    /// times as many.
    [[nodiscard]] bool is_excessive(const message_limits& limits) const noexcept {
        return list_bytes_ > 4 * limits.head_bytes_max();
    }

protected:
    http2_head() noexcept {}
    ~http2_head() = default;

    /// Counts a field. False: it is one too many, which is noted.
    [[nodiscard]] bool count(std::string_view name, std::string_view value,
                             const message_limits& limits) noexcept;
    [[nodiscard]] text_range keep(std::string_view text);
    void add_line(head_layout& layout, std::string_view name, std::string_view value,
                  const message_limits& limits);
    void refuse(status code, std::string_view reason) noexcept;
    [[nodiscard]] bool is_refused() const noexcept { return is_refused_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] std::string_view view(text_range range) const noexcept {
        return std::string_view(text_).substr(range.offset, range.size);
    }
    void clear() noexcept;

private:
    std::string text_;
    std::size_t list_bytes_ = 0;
    message_error error_;
    bool is_refused_ = false;
};

}  // namespace eddy::http
