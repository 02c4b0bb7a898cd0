#pragma once

#include <eddy/http/message/detail/error.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::http {

enum class parse_state : std::uint8_t { need_more, complete, error };

/// What request_parser and response_parser say of the bytes so far.
class parse_result {
public:
    [[nodiscard]] static parse_result need_more() noexcept { return {}; }
    [[nodiscard]] static parse_result complete(std::size_t head_size) noexcept {
        parse_result result;
        result.state_ = parse_state::complete;
        result.head_size_ = head_size;
        return result;
    }
    [[nodiscard]] static parse_result refused(const message_error& error) noexcept {
        parse_result result;
        result.state_ = parse_state::error;
        result.error_ = error;
        return result;
    }

    [[nodiscard]] parse_state state() const noexcept { return state_; }
    /// When complete: bytes of the head, from the first byte passed. The body, or the next message of a
    /// pipeline, starts there.
    [[nodiscard]] std::size_t head_size() const noexcept { return head_size_; }
    /// When refused.
    [[nodiscard]] const message_error& error() const noexcept { return error_; }

    friend bool operator==(const parse_result&, const parse_result&) = default;

private:
    parse_result() noexcept {}

    std::size_t head_size_ = 0;
    message_error error_;
    parse_state state_ = parse_state::need_more;
};

}  // namespace eddy::http
