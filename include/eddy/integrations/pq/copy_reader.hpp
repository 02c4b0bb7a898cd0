#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/detail/copy_text.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::pq {

namespace detail {
class session;
class exchange;
}  // namespace detail

/// The data of a `COPY ... TO STDOUT`: a byte_source, whose bytes are in the format of the command (text by
/// default), or rows in the text format. Use one or the other, not both in turn.
///
/// - Back-pressure: what is not read stays with the server.
/// - Cancellation: a dropped read loses nothing. Destroyed before the end, the command is cancelled; the
///   connection's next use waits for that.
/// - Errors: as the connection's.
/// - Thread safety: none; one task at a time.
class copy_reader {
public:
    copy_reader(copy_reader&& other) noexcept;
    copy_reader& operator=(copy_reader&&) = delete;
    ~copy_reader();

    /// Waits for data and puts at least one byte into `out`. Returns their number, 0 at the end. Requires:
    /// `out` is not empty and stays.
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out);

    /// The next row as a std::tuple, an element a column, std::optional where there may be NULL; empty at the
    /// end. Throws wrong_columns, wrong_type or unexpected_null. Requires: the command's format is text with
    /// the delimiter and NULL that are its defaults.
    template <class Tuple>
    [[nodiscard]] task<std::optional<Tuple>> read_row() {
        const bool has_row = co_await next_row();
        if (!has_row)
            co_return std::nullopt;
        co_return std::optional<Tuple>(detail::read_copied_row<Tuple>(row_text()));
    }

private:
    friend class connection;
    explicit copy_reader(std::shared_ptr<detail::session> on,
                         std::unique_ptr<detail::exchange> begun) noexcept;

    [[nodiscard]] task<bool> next_row();
    [[nodiscard]] std::string_view row_text() const noexcept { return row_; }

    std::shared_ptr<detail::session> session_;
    std::unique_ptr<detail::exchange> exchange_;
    std::string row_;        // the last that came
    std::size_t given_ = 0;  // bytes of it that read() has returned
};

}  // namespace eddy::pq
