#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/http/codec/detail/multipart_parser.hpp>
#include <eddy/http/server/uploaded_file.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/read_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

class exchange;
class multipart_reader;

namespace detail {

/// A byte_source whose type is not known. A piece of 16 KiB costs a coroutine.
class erased_source {
public:
    virtual ~erased_source() = default;
    [[nodiscard]] virtual task<std::size_t> read(std::span<std::byte> out) = 0;
};

template <byte_source Source>
class erased_source_of final : public erased_source {
public:
    explicit erased_source_of(Source& source) noexcept : source_(source) {}
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out) override {
        co_return co_await source_.read(out);
    }

private:
    Source& source_;
};

}  // namespace detail

/// A part of a multipart body: what stands in front of it, and its body, which is a byte_source.
///
/// Ownership: moves, does not copy; refers to its reader. It is over when the reader's next() is called.
class multipart_part {
public:
    /// Made by multipart_reader::next().
    explicit multipart_part(multipart_reader& reader, multipart_header header) noexcept
        : reader_(&reader), header_(std::move(header)) {}

    /// The fields of the part.
    [[nodiscard]] const multipart_header& header() const noexcept { return header_; }
    /// The name of the form's field.
    [[nodiscard]] const std::string& name() const noexcept { return header_.name(); }
    /// Whether it has a file's name.
    [[nodiscard]] bool is_file() const noexcept { return header_.file_name().has_value(); }

    /// Waits for bytes of the body and puts at least one into `out`. Returns their number, 0 at the end.
    /// Dropped: loses nothing. Errors: request_error. Requires: `out` is not empty.
    [[nodiscard]] ready_or_task<std::size_t> read(std::span<std::byte> out);
    /// Reads to the end. 413 for more than so many bytes. Dropped: what was read is lost.
    [[nodiscard]] task<std::string> read_all(std::size_t bytes_max = 64 * 1024);
    /// Reads to the end into a temporary file below the directory `below`; see uploaded_file. Memory holds one
    /// piece at a time. Dropped: nothing is left of the file. Errors: request_error, and std::system_error of
    /// the file's.
    [[nodiscard]] task<uploaded_file> save(file_path below);

private:
    multipart_reader* reader_;
    multipart_header header_;
};

/// Reads a body of type multipart/form-data part by part, as it arrives (RFC 7578): it holds only 16 KiB and
/// one part's header in memory.
///
///     multipart_reader form(ex);
///     while (auto part = co_await form.next()) ...
///
/// With g++ 12 the part gets a name before it is a condition.
///
/// - Ownership: refers to the exchange or source, which outlives it. Moves until next() is called.
/// - Thread safety: none. One read at a time.
/// - Cancellation: a dropped next() or read() loses nothing, and the next one continues.
/// - Errors: request_error: 415 and 400 for a Content-Type that is not multipart/form-data with a boundary
///   (by the constructor), 400 for a body that is malformed or ends early, 413 beyond a limit; what the
///   source throws. After one nothing more can be read.
class multipart_reader {
public:
    /// The body of a request.
    explicit multipart_reader(exchange& ex, const multipart_limits& limits = {});
    /// Reads the body from a source.
    template <byte_source Source>
    multipart_reader(Source& source, std::string_view boundary, const multipart_limits& limits = {})
        : source_(std::make_unique<detail::erased_source_of<Source>>(source)), parser_(boundary, limits) {}
    /// Requires: next() has not been called.
    multipart_reader(multipart_reader&&) = default;
    multipart_reader& operator=(multipart_reader&&) = delete;

    /// Skips what was not read of the last part and waits for the next one. Returns nothing at the end.
    [[nodiscard]] task<std::optional<multipart_part>> next();

private:
    friend class multipart_part;

    /// Takes what is in the buffer apart, up to an event that says something. Throws request_error.
    [[nodiscard]] multipart_event advance();
    [[nodiscard]] task<> fill();
    [[nodiscard]] std::size_t take(std::span<std::byte> out) noexcept;
    [[nodiscard]] task<std::size_t> read_slowly(std::span<std::byte> out);

    std::unique_ptr<detail::erased_source> source_;
    multipart_parser parser_;
    eddy::detail::read_buffer buffer_{16'384};
    std::size_t data_size_ = 0;  // how much at the buffer's front is the part's body
    bool is_in_part_ = false;
    bool is_complete_ = false;
};

}  // namespace eddy::http
