#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/fs/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace eddy::http {

/// A file that a client has sent, on disk. Removed with its owner, unless it was kept. Until then it lies in
/// a directory that only this user may read, so that no other process sees an incomplete upload.
///
/// Ownership: moves, does not copy. The destructor removes what was not kept, for which it may have to wait
/// for the device. Thread safety: none.
class uploaded_file {
public:
    /// Made by upload_writer::finish().
    uploaded_file(temporary_directory directory, std::uint64_t size_bytes) noexcept
        : directory_(std::move(directory)), size_bytes_(size_bytes) {}

    /// Where it lies now.
    [[nodiscard]] file_path path() const { return directory_.at(content_name); }
    /// Its size, in bytes.
    [[nodiscard]] std::uint64_t size_bytes() const noexcept { return size_bytes_; }

    /// Renames it to `to` atomically, replacing a file of that name.
    /// Errors: std::system_error; cross_device_link if `to` is in another file system than the directory that it
    /// was saved below. Dropped: it has the name or not, and is not lost if it has. Requires: not kept yet.
    [[nodiscard]] task<> keep(file_path to);

private:
    friend class upload_writer;
    static constexpr std::string_view content_name = "content";

    temporary_directory directory_;
    std::uint64_t size_bytes_;
};

/// Writes an uploaded_file.
class upload_writer {
public:
    /// Makes a file below the directory `below`. Errors: std::system_error. Dropped: nothing is left of it.
    [[nodiscard]] static task<upload_writer> open(file_path below);

    /// Adds bytes. Requires: they stay until it ends. Dropped: the file is removed with the writer.
    [[nodiscard]] task<> write(std::span<const std::byte> bytes);
    /// Ends the writing and returns the file.
    [[nodiscard]] uploaded_file finish() &&;

private:
    upload_writer(temporary_directory directory, file content) noexcept
        : directory_(std::move(directory)), content_(std::move(content)) {}

    temporary_directory directory_;
    file content_;
};

}  // namespace eddy::http
