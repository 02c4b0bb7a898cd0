#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/detail/file_transfer.hpp>
#include <eddy/fs/detail/owned_read.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/stream/detail/splice_end.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace eddy {

/// An open file, returned by fs::open and directory::open_file. It is a byte_source and a byte_sink, which share
/// one position.
///
/// Ownership: moves, does not copy; destroying it closes it; it outlives the tasks that use it. Thread
/// safety: none; it belongs to its worker. Any number of tasks may read and write at given offsets; one at a
/// time may use the position.
///
/// A dropped read or write of borrowed memory waits until the kernel is done with that memory, for as long as
/// the device takes. sync() and its like run on the offload pool: dropped, they are done or not, and nothing
/// waits.
///
/// Errors: std::system_error, with any error of the system (no_space_on_device, is_a_directory,
/// bad_file_descriptor for a file that was not opened for it, invalid_argument for an offset beyond 2^63).
class file {
public:
    explicit file(detail::owned_descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}

    // -- reading --

    /// Reads bytes from `offset` on into `out`; returns their number, fewer than requested only at the end of
    /// the file or by the kernel's choice, 0 at the end. Dropped: what had been read is in `out` or not, and
    /// can be read again. Requires: `out` stays until then.
    [[nodiscard]] detail::awaited_file_transfer read_at(std::span<std::byte> out,
                                                        std::uint64_t offset) const noexcept {
        return {
            descriptor_.backend(), io::opcode::read_at, descriptor_.get(), out.data(), out.size(), offset};
    }

    /// The same into several buffers, one after the other; of more than 1024 the first.
    [[nodiscard]] detail::awaited_file_transfer read_at(std::span<const mutable_buffer> out,
                                                        std::uint64_t offset) const noexcept {
        return {descriptor_.backend(),
                io::opcode::read_vectored_at,
                descriptor_.get(),
                out.data(),
                out.size(),
                offset};
    }

    /// Reads up to `count` bytes from `offset` on into memory of their own, for which it allocates; fewer and
    /// none as above. Dropped: never waits, even if the device does; the memory is freed, and the file
    /// closed, once the system is done with them. Throws std::bad_alloc here, std::system_error when awaited.
    [[nodiscard]] detail::awaited_owned_read read_owned_at(std::uint64_t offset, std::size_t count) const;

    /// Reads on from where the last read() or write() ended. Dropped: the place stays, so nothing is lost.
    /// Requires: the file stays where it is until then.
    [[nodiscard]] detail::awaited_file_transfer read(std::span<std::byte> out) noexcept {
        return {descriptor_.backend(),
                io::opcode::read_at,
                descriptor_.get(),
                out.data(),
                out.size(),
                &position_};
    }

    // -- writing --

    /// Writes bytes from `offset` on. Returns their number, fewer than requested when the device is full, or
    /// by the kernel's choice. A file that was opened to append gets them at its end. Dropped: any part of
    /// them may have been written. Requires: `bytes` stay until then.
    [[nodiscard]] detail::awaited_file_transfer write_at(std::span<const std::byte> bytes,
                                                         std::uint64_t offset) const noexcept {
        return {descriptor_.backend(), io::opcode::write_at, descriptor_.get(),
                bytes.data(),          bytes.size(),         offset};
    }

    /// The same of several buffers, one after the other; of more than 1024 the first.
    [[nodiscard]] detail::awaited_file_transfer write_at(std::span<const const_buffer> buffers,
                                                         std::uint64_t offset) const noexcept {
        return {descriptor_.backend(), io::opcode::write_vectored_at,
                descriptor_.get(),     buffers.data(),
                buffers.size(),        offset};
    }

    /// Writes on where the last read() or write() ended. Dropped: the place stays, and any part of the bytes
    /// may have been written. Requires: the file stays where it is until then.
    [[nodiscard]] detail::awaited_file_transfer write(std::span<const std::byte> bytes) noexcept {
        return {descriptor_.backend(), io::opcode::write_at, descriptor_.get(),
                bytes.data(),          bytes.size(),         &position_};
    }

    /// Writes all the bytes to `offset` and what follows. Errors: those of the part that could not be
    /// written. Dropped: any part of them may have been written. Requires: both stay until then.
    [[nodiscard]] task<> write_all_at(std::span<const std::byte> bytes, std::uint64_t offset) const;

    /// Writes all the bytes at the position. Returns their number. Dropped: the position shows what was
    /// written for certain. Requires: the file and the bytes stay until then.
    [[nodiscard]] task<std::size_t> write_all(std::span<const std::byte> bytes);
    /// The same of several buffers, one after the other. Requires: their array stays until then too.
    [[nodiscard]] task<std::size_t> write_all(std::span<const_buffer> buffers);

    /// For copy() (stream/detail/splice_end.hpp): from the position.
    [[nodiscard]] std::optional<detail::splice_end> splice_source() noexcept {
        return detail::splice_end(descriptor_.backend(), descriptor_.get(), position_);
    }
    [[nodiscard]] std::optional<detail::splice_end> splice_sink() noexcept { return splice_source(); }

    /// The position of read() and write(); 0 in the beginning.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
    /// Moves that place. Requires: no read() or write() is under way.
    void seek(std::uint64_t position) noexcept { position_ = position; }

    // -- the file itself --

    /// Size, time of change and so on; a system call that never waits. Throws std::system_error.
    [[nodiscard]] io::file_status status() const;
    /// How many bytes there are. Throws std::system_error.
    [[nodiscard]] std::uint64_t size() const { return status().size; }

    /// Cuts the file off, or lengthens it with zeros.
    [[nodiscard]] task<> truncate(std::uint64_t size) const;
    /// Sees to it that bytes can be written there without running out of room; lengthens the file to their
    /// end. operation_not_supported where the file system has no such thing.
    [[nodiscard]] task<> allocate(std::uint64_t offset, std::uint64_t size) const;
    /// Carries all that was written to the device (fsync). An error means that some of it may be lost.
    [[nodiscard]] task<> sync() const;
    /// The same without the times of change (fdatasync).
    [[nodiscard]] task<> sync_data() const;

    /// The system's own descriptor, which stays the file's.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }

private:
    detail::owned_descriptor descriptor_;
    std::uint64_t position_ = 0;
};

}  // namespace eddy
