#pragma once

#include <eddy/http/codec/multipart_limits.hpp>
#include <eddy/http/message/detail/error.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// What stands in front of a part's body. A value; it owns its texts.
class multipart_header {
public:
    multipart_header() noexcept {}

    /// Reads the fields of a part, each ended by CRLF. Errors: 400 for what is malformed, folded lines
    /// included, and where Content-Disposition is not form-data with a name (RFC 7578 section 4.2).
    [[nodiscard]] static std::expected<multipart_header, message_error> parse(std::string_view fields);

    /// Of the form's field.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// The name that a file has with the client, if the part is a file. It is any text: nothing to make a
    /// path of.
    [[nodiscard]] const std::optional<std::string>& file_name() const noexcept { return file_name_; }
    /// "text/plain" where the part does not say (section 4.4).
    [[nodiscard]] const std::string& content_type() const noexcept { return content_type_; }
    /// Any field by its name, in any case.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;

private:
    [[nodiscard]] bool take_disposition(std::string_view value);

    std::string name_;
    std::optional<std::string> file_name_;
    std::string content_type_ = "text/plain";
    std::vector<std::pair<std::string, std::string>> fields_;
};

enum class multipart_event : std::uint8_t {
    need_more,   // call again when there are more bytes behind those that were not consumed
    part_begin,  // header() is the part's
    data,        // the first consumed() bytes are part of its body
    part_end,
    complete,  // nothing after this means anything
    error,
};

class multipart_step {
public:
    multipart_step(multipart_event event, std::size_t consumed) noexcept
        : event_(event), consumed_(consumed) {}
    multipart_step(status code, std::string_view reason) noexcept
        : event_(multipart_event::error), error_(code, reason) {}

    [[nodiscard]] multipart_event event() const noexcept { return event_; }
    /// Bytes at the front that are done with.
    [[nodiscard]] std::size_t consumed() const noexcept { return consumed_; }
    [[nodiscard]] const message_error& error() const noexcept { return error_; }

private:
    multipart_event event_;
    std::size_t consumed_ = 0;
    message_error error_;
};

/// Splits a body of type multipart/form-data into parts (RFC 7578, RFC 2046 section 5.1), however it arrives:
/// the parts and their bodies are the same whatever pieces it comes in. No I/O; allocates the texts of a
/// part's header.
///
/// Errors: 400 for what is malformed, 413 beyond a limit; after one it keeps returning that error. The caller
/// detects that the input ends before `complete`.
class multipart_parser {
public:
    /// Requires: a boundary of parse_multipart_boundary(), or one like it.
    explicit multipart_parser(std::string_view boundary, const multipart_limits& limits = {});

    /// Parses bytes that begin where the last call stopped consuming. The caller passes bytes that were not
    /// consumed again; their number is bounded by the limit on headers and the size of the boundary.
    [[nodiscard]] multipart_step parse(std::string_view bytes);

    /// Of the part that has begun last.
    [[nodiscard]] const multipart_header& header() const noexcept { return header_; }

private:
    enum class position : std::uint8_t { preamble, boundary_end, header, body, epilogue, failed };

    [[nodiscard]] multipart_step step(std::string_view bytes);
    [[nodiscard]] multipart_step find_delimiter(std::string_view bytes);
    [[nodiscard]] multipart_step read_boundary_end(std::string_view bytes);
    [[nodiscard]] multipart_step read_header(std::string_view bytes);
    [[nodiscard]] multipart_step pass(std::size_t count);
    [[nodiscard]] multipart_step pass_delimiter(std::size_t count);

    multipart_limits limits_;
    std::string delimiter_;  // CRLF, two dashes, the boundary
    multipart_header header_;
    message_error error_;
    std::uint64_t part_bytes_ = 0;
    std::uint64_t total_bytes_ = 0;
    std::size_t parts_ = 0;
    position position_ = position::preamble;
    bool is_at_line_start_ = true;  // so that the delimiter's CRLF has been seen already
};

/// The boundary that a Content-Type names. Errors: 415 unless the type is multipart/form-data, 400 if the
/// boundary is missing, empty, longer than 70 characters or has characters that it may not have.
[[nodiscard]] std::expected<std::string, message_error> parse_multipart_boundary(
    std::string_view content_type);

}  // namespace eddy::http
