#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/open_options.hpp>
#include <eddy/io/detail/awaited_operation.hpp>

#include <expected>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy {

namespace detail {

/// Awaits the opening of a file.
class awaited_open : public io::awaited_operation<io::scratch_operation>,
                     public outcome_awaiter<awaited_open> {
public:
    awaited_open(io::backend& backend, int directory, const char* path) noexcept;
    /// `requested`: open or open_beneath.
    awaited_open(io::backend& backend, io::opcode kind, int directory, const char* path,
                 const open_options& options) noexcept;
    awaited_open(awaited_open&&) noexcept = default;
    ~awaited_open();

    std::expected<file, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "open"; }

    bool await_ready() noexcept;

private:
    [[nodiscard]] owned_descriptor take() noexcept;

    bool is_taken_ = false;
    // Opened with options: what is done to it may wait, so that it is done in the same way on all backends.
    bool has_options_ = false;
    bool is_contradictory_ = false;
};

}  // namespace detail

/// An open directory, as a root below which files are opened.
///
/// Ownership: moves, does not copy; destroying it closes it. Thread safety: none; it belongs to its worker.
class directory {
public:
    /// Opens a directory by its path. Throws std::system_error. Requires: the caller is on a worker.
    [[nodiscard]] static directory open(const std::string& path);

    /// Opens a file for reading, by a path relative to the directory. Whatever the path says, and whatever
    /// symbolic links it meets, what is opened lies below the directory: anything else is an error
    /// (cross_device_link). A directory can be opened too; see file::status(). Never waits for the other end
    /// of a named pipe. Dropped: the descriptor is closed. Requires: `path` stays until then.
    [[nodiscard]] detail::awaited_open open_file(const char* path) const noexcept;
    /// The same for what the options say.
    [[nodiscard]] detail::awaited_open open_file(const char* path,
                                                 const open_options& options) const noexcept;

private:
    explicit directory(detail::owned_descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}

    detail::owned_descriptor descriptor_;
};

}  // namespace eddy
