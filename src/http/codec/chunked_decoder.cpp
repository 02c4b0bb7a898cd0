#include "http/message/characters.hpp"
#include "http/message/scan.hpp"

#include <eddy/http/codec/detail/chunked_decoder.hpp>
#include <eddy/http/message/field.hpp>

#include <algorithm>

namespace eddy::http {
namespace {

bool may_arrive_as_trailer(field id) noexcept {
    return id != field::content_length && id != field::transfer_encoding && id != field::host;
}

}  // namespace

chunk_result chunked_decoder::decode(std::string_view input) noexcept {
    std::size_t at = 0;
    while (state_ < state::complete) {
        if (state_ == state::trailer) {
            return take_trailer(input, at);
        }
        if (at == input.size()) {
            return chunk_result::need_more(at);
        }
        if (state_ == state::data) {
            return take_data(input, at);
        }
        state_ = step(input[at++]);
        const bool in_an_extension = state_ >= state::extension_name_before && state_ <= state::extension_end;
        if (in_an_extension && ++extension_bytes_ > limits_->chunk_extension_bytes_max()) {
            state_ = refuse(status::content_too_large, "chunk extensions over the limit");
        }
    }
    return state_ == state::complete ? chunk_result::complete(at) : refused();
}

chunked_decoder::state chunked_decoder::step(char byte) noexcept {
    switch (state_) {
        case state::size_first_digit:
            digits_ = 0;
            chunk_left_ = 0;
            return is(byte, character::hex) ? add_digit(byte)
                                            : refuse(status::bad_request, "malformed chunk size");
        case state::size:
            return is(byte, character::hex) ? add_digit(byte) : after_size(byte);
        case state::size_lf:
            return byte == '\n' ? chunk_begins() : refuse(status::bad_request, "CR without LF");
        case state::data_cr:
            return byte == '\r' ? state::data_lf : refuse(status::bad_request, "chunk longer than its size");
        case state::data_lf:
            return byte == '\n' ? state::size_first_digit : refuse(status::bad_request, "CR without LF");
        default:
            return in_extension(byte);
    }
}

chunked_decoder::state chunked_decoder::add_digit(char byte) noexcept {
    constexpr unsigned digits_max = 16;
    if (++digits_ > digits_max) {
        return refuse(status::bad_request, "malformed chunk size");
    }
    chunk_left_ = chunk_left_ << 4 | hex_value(byte);
    return state::size;
}

chunked_decoder::state chunked_decoder::after_size(char byte) noexcept {
    switch (byte) {
        case '\r':
            return state::size_lf;
        case ';':
            return state::extension_name_before;
        case ' ':
        case '\t':
            return state::extension_end;
        default:
            return refuse(status::bad_request, "malformed chunk size");
    }
}

// chunk-ext = *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )
chunked_decoder::state chunked_decoder::in_extension(char byte) noexcept {
    const bool is_token_byte = is(byte, character::token);
    const bool is_space = is_white_space(byte);
    switch (state_) {
        case state::extension_name_before:
            if (is_token_byte || is_space) {
                return is_space ? state_ : state::extension_name;
            }
            break;
        case state::extension_name:
        case state::extension_name_after:
            if (byte == '=') {
                return state::extension_value_before;
            }
            if (byte == ';') {
                return state::extension_name_before;
            }
            if (is_space) {
                return state::extension_name_after;
            }
            if (state_ == state::extension_name && (is_token_byte || byte == '\r')) {
                return is_token_byte ? state_ : state::size_lf;
            }
            break;
        case state::extension_value_before:
            if (byte == '"') {
                return state::extension_quoted;
            }
            if (is_token_byte || is_space) {
                return is_space ? state_ : state::extension_value;
            }
            break;
        case state::extension_quoted:
            if (is(byte, character::field)) {
                return byte == '"'    ? state::extension_quoted_end
                       : byte == '\\' ? state::extension_escape
                                      : state_;
            }
            break;
        case state::extension_escape:
            if (is(byte, character::field)) {
                return state::extension_quoted;
            }
            break;
        default:
            if (byte == ';') {
                return state::extension_name_before;
            }
            if (is_space) {
                return state::extension_end;
            }
            if (byte == '\r' && state_ != state::extension_end) {
                return state::size_lf;
            }
            if (is_token_byte && state_ == state::extension_value) {
                return state_;
            }
            break;
    }
    return refuse(status::bad_request, "malformed chunk extension");
}

chunked_decoder::state chunked_decoder::chunk_begins() noexcept {
    if (chunk_left_ > limits_->body_bytes_max() - body_size_) {
        return refuse(status::content_too_large, "body over the limit");
    }
    body_size_ += chunk_left_;
    return chunk_left_ == 0 ? state::trailer : state::data;
}

chunk_result chunked_decoder::take_data(std::string_view input, std::size_t at) noexcept {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, input.size() - at));
    chunk_left_ -= size;
    if (chunk_left_ == 0) {
        state_ = state::data_cr;
    }
    return chunk_result::of_data(at + size, input.substr(at, size));
}

chunk_result chunked_decoder::take_trailer(std::string_view input, std::size_t at) noexcept {
    const auto rest = input.substr(at);
    const std::size_t stop = find_control(rest.data(), trailer_scanned_, rest.size());
    if (trailer_bytes_ + stop + 2 > limits_->trailer_bytes_max()) {
        state_ = refuse(status::request_header_fields_too_large, "trailers over the limit");
        return refused();
    }
    trailer_scanned_ = stop;
    if (stop == rest.size() || (rest[stop] == '\r' && stop + 1 == rest.size())) {
        return chunk_result::need_more(at);
    }
    if (rest[stop] != '\r' || rest[stop + 1] != '\n') {
        state_ = refuse(status::bad_request, "malformed line end in the trailers");
        return refused();
    }
    const std::size_t consumed = at + stop + 2;
    trailer_bytes_ += stop + 2;
    trailer_scanned_ = 0;
    if (stop == 0) {
        state_ = state::complete;
        return chunk_result::complete(consumed);
    }
    const auto line = rest.substr(0, stop);
    const auto name = line.substr(0, line.find(':'));
    if (name.size() == line.size() || name.empty() || !all_are(name, character::token)) {
        state_ = refuse(status::bad_request, "malformed trailer");
        return refused();
    }
    if (!may_arrive_as_trailer(field_from(name))) {
        state_ = refuse(status::bad_request, "framing field among the trailers");
        return refused();
    }
    return chunk_result::of_trailer(consumed, name, trim(line.substr(name.size() + 1)));
}

chunked_decoder::state chunked_decoder::refuse(status code, std::string_view reason) noexcept {
    error_ = message_error(code, reason);
    return state::failed;
}

}  // namespace eddy::http
