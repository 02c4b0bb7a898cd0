#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/read_buffer.hpp>
#include <eddy/stream/detail/read_requests.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// Awaits the result of a request, which is taken out of the reader's buffer when the task resumes, and not
/// before: a wait that is dropped has taken nothing.
template <class Reader, class Request>
class [[nodiscard]] buffered_read {
public:
    buffered_read(Reader& reader, Request request) noexcept : reader_(reader), request_(request) {}
    /// Requires: it has not been awaited yet.
    buffered_read(buffered_read&& other) noexcept : reader_(other.reader_), request_(other.request_) {}
    buffered_read& operator=(buffered_read&&) = delete;
    ~buffered_read() = default;

    bool await_ready() noexcept { return request_.is_met(reader_.buffer_) || reader_.buffer_.is_ended(); }
    transfer await_suspend(suspension point) {
        EDDY_ASSERT(!reader_.is_reading_, "one read at a time on a reader");
        filling_.emplace(reader_.fill(request_).operator co_await());
        return filling_->await_suspend(point);
    }
    decltype(auto) await_resume() {
        if (filling_)
            filling_->await_resume();
        return request_.take(reader_.buffer_);
    }

private:
    Reader& reader_;
    Request request_;
    std::optional<task<>::awaiter> filling_;
};

}  // namespace detail

/// Reads a source through a buffer, so that small reads cost no system call of their own, and data can be
/// read up to a delimiter.
///
/// - Ownership: `buffered_reader(stream)` refers to a stream that outlives it,
///   `buffered_reader(std::move(s))` owns it. It outlives the reads on it.
/// - Views that a read returns are valid until the next read is awaited, and until the reader is destroyed.
/// - Thread safety: none; one read at a time.
/// - Cancellation: any read may be dropped. What it has read from the source stays in the buffer for the next
///   read, of any kind; of a skip(), consumed() shows how far it has come.
/// - Errors: those of the source; stream_error::unexpected_end and limit_exceeded. Nothing is consumed by a
///   read that fails (but by skip()), so another may be tried. The end of the source is remembered.
/// - Cost: nothing is allocated but the buffer, once, with the first read that finds nothing; it grows with
///   the requested size. A read that the buffer cannot serve costs one coroutine frame beside its reads of
///   the source.
template <class Source>
    requires byte_source<std::remove_reference_t<Source>>
class buffered_reader {
public:
    /// What it reads from.
    using source_type = std::remove_reference_t<Source>;
    /// The capacity if none is given.
    static constexpr std::size_t default_capacity_bytes = 8192;

    explicit buffered_reader(Source&& source, std::size_t capacity_bytes = default_capacity_bytes)
        : source_(std::forward<Source>(source)), buffer_(capacity_bytes) {}
    /// Requires: no read is under way.
    buffered_reader(buffered_reader&&) noexcept = default;
    buffered_reader& operator=(buffered_reader&&) = delete;
    ~buffered_reader() = default;

    /// Waits for at least one byte and copies what is there; 0 at the end. With that the reader is a
    /// byte_source itself. What is as large as the buffer goes past it.
    [[nodiscard]] auto read(std::span<std::byte> out) noexcept {
        return request(detail::copy_some_request(out));
    }
    /// Waits for at least one byte and returns a view of what is there, `size_max` bytes at the most; an
    /// empty one at the end.
    [[nodiscard]] auto read_some(std::size_t size_max = ~std::size_t{0}) noexcept {
        return request(detail::some_request(size_max));
    }

    /// Returns a view of so many bytes. The caller checks sizes that the peer announces: the buffer grows to
    /// the size, if that many bytes come.
    [[nodiscard]] auto read_exactly(std::size_t size) noexcept {
        return request(detail::exact_request(size));
    }
    /// Fills `out`, by way of the buffer.
    [[nodiscard]] auto read_exactly(std::span<std::byte> out) noexcept {
        return request(detail::copy_exact_request(out));
    }

    /// Returns a view up to and including the first `delimiter`, `size_max` bytes at the most; an empty view
    /// if the stream has ended, unexpected_end if it ends before the delimiter. Requires: the delimiter is
    /// not empty, not longer than the limit, and stays until then.
    [[nodiscard]] auto read_until(std::string_view delimiter, std::size_t size_max) noexcept {
        return request(detail::delimiter_request(delimiter, size_max));
    }
    /// Returns a line as std::optional<std::string_view>, without the LF or CRLF that ends it, `size_max`
    /// bytes at the most without that; nothing if the stream has ended. The last line needs no end.
    [[nodiscard]] auto read_line(std::size_t size_max) noexcept {
        return request(detail::line_request(size_max));
    }

    /// Waits until so many bytes are there, or the end is, and returns a view of all that is in the buffer,
    /// which may be more; less at the end. Nothing is consumed.
    [[nodiscard]] auto peek(std::size_t size) noexcept { return request(detail::peek_request(size)); }

    /// Returns a view of everything up to the end; limit_exceeded as soon as there are more than `size_max`
    /// bytes.
    [[nodiscard]] auto read_to_end(std::size_t size_max) noexcept {
        return request(detail::rest_request(size_max));
    }

    /// Leaves out so many bytes; unexpected_end if there are fewer.
    [[nodiscard]] auto skip(std::uint64_t count) noexcept { return request(detail::skip_request(count)); }

    /// What has been read from the source and not been consumed.
    [[nodiscard]] std::span<const std::byte> buffered() const noexcept { return buffer_.bytes(); }
    /// How many bytes were returned or skipped in all.
    [[nodiscard]] std::uint64_t consumed() const noexcept { return buffer_.consumed(); }
    /// The source. Reading from it directly bypasses buffered().
    [[nodiscard]] source_type& source() noexcept { return source_; }

private:
    template <class Reader, class Request>
    friend class detail::buffered_read;

    /// Notes that the source is being read, for an assertion.
    class reading {
    public:
        explicit reading(bool& is_reading) noexcept : is_reading_(is_reading) { is_reading_ = true; }
        reading(const reading&) = delete;
        reading& operator=(const reading&) = delete;
        ~reading() { is_reading_ = false; }

    private:
        bool& is_reading_;
    };

    template <class Request>
    [[nodiscard]] auto request(Request requested) noexcept {
        return detail::buffered_read<buffered_reader, Request>(*this, requested);
    }

    /// Reads until the request is met or the source ends.
    template <class Request>
    task<> fill(Request& requested) {
        const reading here(is_reading_);
        do {
            if constexpr (requires { requested.may_pass(buffer_); }) {
                if (requested.may_pass(buffer_)) {
                    const std::size_t count = co_await source_.read(requested.target());
                    if (count == 0)
                        buffer_.note_end();
                    requested.note_passed(buffer_, count);
                    co_return;
                }
            }
            const std::span<std::byte> room = buffer_.make_room();
            const std::size_t count = co_await source_.read(room);
            if (count == 0)
                buffer_.note_end();
            buffer_.add(count);
        } while (!requested.is_met(buffer_) && !buffer_.is_ended());
    }

    Source source_;
    detail::read_buffer buffer_;
    bool is_reading_ = false;
};

template <class Source>
buffered_reader(Source&&) -> buffered_reader<Source>;
template <class Source>
buffered_reader(Source&&, std::size_t) -> buffered_reader<Source>;

}  // namespace eddy
