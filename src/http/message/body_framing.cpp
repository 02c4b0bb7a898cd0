#include "http/message/characters.hpp"

#include <eddy/http/message/detail/body_framing.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/message/response_head.hpp>

namespace eddy::http {
namespace {

std::unexpected<message_error> refused(status code, std::string_view reason) noexcept {
    return std::unexpected(message_error(code, reason));
}

// Walks the codings of all Transfer-Encoding lines, which count as one list.
class coding_list {
public:
    void add_line(std::string_view line) noexcept {
        malformed_ |= line.ends_with(',');
        do {
            add(take_element(line));
        } while (!line.empty());
    }

    [[nodiscard]] std::expected<body_framing, message_error> framing() const noexcept {
        if (malformed_) {
            return refused(status::bad_request, "malformed Transfer-Encoding");
        }
        if (chunked_count_ != 1 || !chunked_is_last_) {
            return refused(status::bad_request, "chunked is not the last and only chunked coding");
        }
        if (unknown_) {
            return refused(status::not_implemented, "transfer coding not implemented");
        }
        return body_framing::chunked();
    }

private:
    void add(std::string_view coding) noexcept {
        chunked_is_last_ = equal_ignoring_case(coding, "chunked");
        if (chunked_is_last_) {
            ++chunked_count_;
            return;
        }
        const auto name = trim(coding.substr(0, coding.find(';')));
        if (name.empty() || !all_are(name, character::token) || equal_ignoring_case(name, "chunked")) {
            malformed_ = true;  // an empty element, or chunked with parameters, which it does not have
        }
        unknown_ = true;
    }

    unsigned chunked_count_ = 0;
    bool chunked_is_last_ = false;
    bool malformed_ = false;
    bool unknown_ = false;
};

std::expected<body_framing, message_error> framing_by_length(const message_head& head,
                                                             const message_limits& limits) noexcept {
    const auto value = head.only(field::content_length);
    if (!value) {
        return refused(status::bad_request, "repeated Content-Length");
    }
    const auto length = parse_content_length(*value);
    if (!length) {
        return std::unexpected(length.error());
    }
    if (*length > limits.body_bytes_max()) {
        return refused(status::content_too_large, "body over the limit");
    }
    return body_framing::of_length(*length);
}

std::expected<body_framing, message_error> framing_by_codings(const message_head& head) noexcept {
    if (head.has(field::content_length)) {
        return refused(status::bad_request, "Content-Length and Transfer-Encoding together");
    }
    if (head.minor_version() == 0) {
        return refused(status::bad_request, "Transfer-Encoding in HTTP/1.0");
    }
    coding_list codings;
    head.for_each(field::transfer_encoding, [&codings](std::string_view line) { codings.add_line(line); });
    return codings.framing();
}

}  // namespace

std::expected<body_framing, message_error> request_body_framing(const request_head& head,
                                                                const message_limits& limits) noexcept {
    if (head.has(field::transfer_encoding)) {
        return framing_by_codings(head);
    }
    return head.has(field::content_length) ? framing_by_length(head, limits) : body_framing::none();
}

std::expected<body_framing, message_error> response_body_framing(const response_head& head, method requested,
                                                                 const message_limits& limits) noexcept {
    const bool is_tunnel = requested == method::connect && to_number(head.status()) / 100 == 2;
    if (is_tunnel) {
        return body_framing::none();
    }
    // Whatever it announces (RFC 9112 section 6.3).
    if (forbids_body(head.status())) {
        return body_framing::none();
    }
    if (requested == method::head) {
        return body_framing::none();
    }
    if (head.has(field::transfer_encoding)) {
        return framing_by_codings(head);
    }
    return head.has(field::content_length) ? framing_by_length(head, limits) : body_framing::until_close();
}

std::expected<std::uint64_t, message_error> parse_content_length(std::string_view value) noexcept {
    constexpr std::size_t digits_max = 19;  // always below 2^64
    if (value.empty() || value.size() > digits_max) {
        return refused(status::bad_request, "malformed Content-Length");
    }
    std::uint64_t length = 0;
    for (char byte : value) {
        if (!is_digit(byte)) {
            return refused(status::bad_request, "malformed Content-Length");
        }
        length = length * 10 + static_cast<unsigned>(byte - '0');
    }
    return length;
}

}  // namespace eddy::http
