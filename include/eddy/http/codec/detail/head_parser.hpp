#pragma once

#include <eddy/http/message/detail/head_layout.hpp>
#include <eddy/http/message/detail/parse_result.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/status.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::http::detail {

// Why a field line that begins with white space is refused (obs-fold, RFC 9112 section 5.2).
inline constexpr std::string_view folded_field_line = "folded field line";

// What request_parser and response_parser share: the walk over the lines of a head and the field lines. Its
// templates are defined in src/http/codec/head_parsing.hpp, which both parsers compile for themselves.
class head_parser {
protected:
    enum class phase : std::uint8_t { start_line, fields, complete, failed };

    explicit head_parser(const message_limits& limits) noexcept : limits_(&limits) {}

    // Parser has `take_start_line(base, begin, end)`, `take_empty_line()` for an empty line before it,
    // `take_end(base)` and `start_line_error()`; each but the last returns false after refuse().
    template <class Parser>
    [[nodiscard]] static parse_result parse_lines(Parser& self, std::string_view received) noexcept;

    [[nodiscard]] bool take_field_line(head_layout& layout, const char* base, std::size_t begin,
                                       std::size_t line_end) noexcept;
    template <class Head>
    [[nodiscard]] bool take_connection(head_layout& layout, const Head& head) noexcept;

    void restart() noexcept {
        line_start_ = 0;
        scanned_ = 0;
        empty_lines_ = 0;
        phase_ = phase::start_line;
    }
    [[nodiscard]] bool refuse(status code, std::string_view reason) noexcept {
        return refuse(message_error(code, reason));
    }
    [[nodiscard]] bool refuse(const message_error& error) noexcept {
        error_ = error;
        phase_ = phase::failed;
        return false;
    }

    const message_limits* limits_;
    std::uint32_t line_start_ = 0;
    std::uint32_t scanned_ = 0;  // no line end or control character before it
    std::uint32_t empty_lines_ = 0;
    phase phase_ = phase::start_line;
    message_error error_;

private:
    template <class Parser>
    [[nodiscard]] bool within_limits(std::size_t line_end, std::size_t line_size) noexcept;
    template <class Parser>
    [[nodiscard]] static bool take_line(Parser& self, const char* base, std::size_t begin,
                                        std::size_t end) noexcept;
};

}  // namespace eddy::http::detail
