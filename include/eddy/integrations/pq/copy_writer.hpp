#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/detail/copy_text.hpp>
#include <eddy/io/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace eddy::pq {

namespace detail {
class session;
class exchange;
}  // namespace detail

/// The sink for the data of a `COPY ... FROM STDIN`: a byte_sink, whose bytes are in the format of the
/// command (text by default), or rows in the text format.
///
/// - Back-pressure: write() waits until its bytes have been sent to the server, except for some kilobytes.
/// - Cancellation: destroyed before finish(), the copy fails and nothing of it is there; the connection's
///   next use waits for that. The same where a write is dropped.
/// - Errors: as the connection's; the server reports most of them to finish() only.
/// - Thread safety: none; one task at a time.
class copy_writer {
public:
    copy_writer(copy_writer&& other) noexcept;
    copy_writer& operator=(copy_writer&&) = delete;
    ~copy_writer();

    /// Writes all of the bytes and returns their number; a row may span several writes. Requires: `bytes`
    /// stays.
    [[nodiscard]] task<std::size_t> write(std::span<const std::byte> bytes);
    /// Writes all of the bytes, as write() does.
    [[nodiscard]] task<std::size_t> write_all(std::span<const std::byte> bytes) { return write(bytes); }
    [[nodiscard]] task<std::size_t> write_all(std::span<const_buffer> buffers);

    /// One row, whose values are copied before this returns; std::nullopt is NULL. Requires: the command's
    /// format is text with the default delimiter and NULL.
    template <class... Values>
    [[nodiscard]] task<> write_row(const Values&... values) {
        append_row(values...);
        return write_rows();
    }

    /// Ends the data and returns the number of rows that the server has stored. Throws the server's error.
    /// Requires: nothing is written afterwards.
    [[nodiscard]] task<std::uint64_t> finish();

private:
    friend class connection;
    explicit copy_writer(std::shared_ptr<detail::session> on,
                         std::unique_ptr<detail::exchange> begun) noexcept;

    template <class... Values>
    void append_row(const Values&... values) {
        detail::copy_row_writer row(rows_);
        (row.add(values), ...);
        row.end();
    }
    [[nodiscard]] task<> write_rows();
    [[nodiscard]] task<> put(std::span<const std::byte> bytes);

    std::shared_ptr<detail::session> session_;
    std::unique_ptr<detail::exchange> exchange_;
    std::string rows_;  // that have not been sent
};

}  // namespace eddy::pq
