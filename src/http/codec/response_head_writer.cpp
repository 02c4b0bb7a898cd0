#include "http/message/field_syntax.hpp"

#include <eddy/http/codec/detail/response_head_writer.hpp>

#include <array>
#include <charconv>

namespace eddy::http {

response_head_writer::response_head_writer(std::span<char> buffer, status code) noexcept
    : buffer_(buffer), status_(code) {
    const unsigned number = to_number(code);
    const auto reason = reason_phrase(code);
    if (!has_room(sizeof("HTTP/1.1 200 \r\n") - 1 + reason.size())) {
        return;
    }
    std::array<char, 13> start{'H', 'T', 'T', 'P', '/', '1', '.', '1', ' '};
    start[9] = static_cast<char>('0' + number / 100 % 10);
    start[10] = static_cast<char>('0' + number / 10 % 10);
    start[11] = static_cast<char>('0' + number % 10);
    start[12] = ' ';
    put({start.data(), start.size()});
    put(reason);
    put("\r\n");
}

response_head_writer& response_head_writer::header(std::string_view name, std::string_view value) noexcept {
    if (!has_room(name.size() + value.size() + 4)) {
        return *this;
    }
    if (!is_field(name, value)) {
        error_ = write_error::invalid_field;
        return *this;
    }
    put(name);
    put(": ");
    put(value);
    put("\r\n");
    return *this;
}

response_head_writer& response_head_writer::header(std::string_view name, std::uint64_t value) noexcept {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return header(name, std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

response_head_writer& response_head_writer::fields(const response_fields& fields) noexcept {
    lines(fields.block());
    for (const response_field& single : fields.single())
        header(single.name(), single.value());
    return *this;
}

response_head_writer& response_head_writer::lines(std::string_view text) noexcept {
    if (has_room(text.size()))
        put(text);
    return *this;
}

response_head_writer& response_head_writer::content_length(std::uint64_t bytes) noexcept {
    constexpr std::string_view name = "Content-Length: ";
    std::array<char, name.size() + 20 + 2> line;
    name.copy(line.data(), name.size());
    char* const end = std::to_chars(line.data() + name.size(), line.data() + line.size() - 2, bytes).ptr;
    end[0] = '\r';
    end[1] = '\n';
    return may_frame() ? lines({line.data(), static_cast<std::size_t>(end + 2 - line.data())}) : *this;
}

response_head_writer& response_head_writer::transfer_chunked() noexcept {
    return may_frame() ? lines("Transfer-Encoding: chunked\r\n") : *this;
}

std::expected<std::string_view, write_error> response_head_writer::finish() noexcept {
    if (has_room(2)) {
        put("\r\n");
    }
    if (error_ != write_error::none) {
        return std::unexpected(error_);
    }
    return std::string_view(buffer_.data(), size_);
}

// Requires: has_room(text.size()).
void response_head_writer::put(std::string_view text) noexcept {
    size_ += text.copy(buffer_.data() + size_, text.size());
}

bool response_head_writer::has_room(std::size_t bytes) noexcept {
    if (error_ == write_error::none && bytes > buffer_.size() - size_) {
        error_ = write_error::no_space;
    }
    return error_ == write_error::none;
}

bool response_head_writer::may_frame() noexcept {
    const bool has_no_framing = forbids_body(status_) && status_ != status::not_modified;
    if (error_ == write_error::none && (framed_ || has_no_framing)) {
        error_ = write_error::misplaced;
    }
    framed_ = true;
    return error_ == write_error::none;
}

}  // namespace eddy::http
