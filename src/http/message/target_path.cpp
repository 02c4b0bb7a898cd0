#include "http/message/escapes.hpp"

#include <eddy/http/message/detail/target_path.hpp>

#include <cstddef>

namespace eddy::http {
namespace {

using outcome = std::expected<void, message_error>;

// Takes one byte off the segment, decoding an escape.
std::expected<char, message_error> take_byte(std::string_view& segment) noexcept {
    std::size_t taken = 1;
    char byte = segment.front();
    if (byte == '%') {
        if (!begins_with_escape(segment)) {
            return bad_request("malformed escape in the target");
        }
        byte = escaped_byte(segment);
        taken = escape_size;
    }
    if (byte == '\0' || byte == '/') {
        return bad_request("encoded slash or NUL in the target");
    }
    segment.remove_prefix(taken);
    return byte;
}

class path_writer {
public:
    explicit path_writer(std::span<char> buffer) noexcept : buffer_(buffer) {}

    // Requires: the segment holds no "/".
    outcome add(std::string_view segment) noexcept {
        const std::size_t start = size_;
        if (size_ > 0 && !put('/')) {
            return too_long();
        }
        const std::size_t name_start = size_;
        while (!segment.empty()) {
            const auto byte = take_byte(segment);
            if (!byte) {
                return std::unexpected(byte.error());
            }
            if (!put(*byte)) {
                return too_long();
            }
        }
        const auto name = path().substr(name_start);
        const bool names_itself = name.empty() || name == ".";
        ends_in_directory_ = names_itself || name == "..";
        if (ends_in_directory_) {
            size_ = start;
        }
        return ends_in_directory_ && !names_itself ? drop_last() : outcome();
    }

    [[nodiscard]] std::string_view path() const noexcept { return {buffer_.data(), size_}; }
    [[nodiscard]] bool ends_in_directory() const noexcept { return ends_in_directory_; }

private:
    outcome drop_last() noexcept {
        if (size_ == 0) {
            return bad_request("target leaves the root");
        }
        const auto slash = path().rfind('/');
        size_ = slash == std::string_view::npos ? 0 : slash;
        return {};
    }

    static outcome too_long() noexcept {
        return std::unexpected(message_error(status::uri_too_long, "target path over the limit"));
    }

    bool put(char byte) noexcept {
        if (size_ == buffer_.size()) {
            return false;
        }
        buffer_[size_++] = byte;
        return true;
    }

    std::span<char> buffer_;
    std::size_t size_ = 0;
    bool ends_in_directory_ = true;
};

}  // namespace

std::expected<target_path, message_error> resolve_target_path(std::string_view target,
                                                              std::span<char> buffer) noexcept {
    auto rest = target.substr(0, target.find('?'));
    if (!rest.starts_with('/')) {
        return bad_request("target path does not start with a slash");
    }
    path_writer writer(buffer);
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const auto segment = rest.substr(0, rest.find('/'));
        if (const auto added = writer.add(segment); !added) {
            return std::unexpected(added.error());
        }
        rest.remove_prefix(segment.size());
    }
    return target_path(writer.path(), writer.ends_in_directory());
}

}  // namespace eddy::http
