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
    return header(response_field(name, value));
}

response_head_writer& response_head_writer::header(const response_field& field) noexcept {
    const std::string_view name = field.name();
    const std::string_view value = field.value();
    if (!has_room(name.size() + value.size() + 4)) {
        return *this;
    }
    if (!field.is_literal() && !is_field(name, value)) {
        error_ = write_error::invalid_field;
        return *this;
    }
    char* at = buffer_.data() + size_;
    at += name.copy(at, name.size());
    *at++ = ':';
    *at++ = ' ';
    at += value.copy(at, value.size());
    *at++ = '\r';
    *at++ = '\n';
    size_ = static_cast<std::size_t>(at - buffer_.data());
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
        header(single);
    return *this;
}

response_head_writer& response_head_writer::lines(std::string_view text) noexcept {
    if (has_room(text.size()))
        put(text);
    return *this;
}

response_head_writer& response_head_writer::content_length(std::uint64_t bytes) noexcept {
    constexpr std::string_view name = "Content-Length: ";
    if (!may_frame() || !has_room(name.size())) {
        return *this;
    }
    char* const at = buffer_.data() + size_;
    char* const room_end = buffer_.data() + buffer_.size();
    name.copy(at, name.size());
    const auto [end, error] = std::to_chars(at + name.size(), room_end, bytes);
    if (error != std::errc() || room_end - end < 2) {
        error_ = write_error::no_space;
        return *this;
    }
    end[0] = '\r';
    end[1] = '\n';
    size_ = static_cast<std::size_t>(end + 2 - buffer_.data());
    return *this;
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
