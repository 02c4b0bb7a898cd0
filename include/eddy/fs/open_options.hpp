#pragma once

#include <eddy/io/detail/operation.hpp>

#include <cstdint>

namespace eddy {

/// How a file is opened: for reading unless it says something else.
///
///     open_options().write().create().truncate()   // a new file, or an old one emptied
///     open_options().append().create()             // a log
///
/// What contradicts itself (truncate without write) is an error of the opening, invalid_argument.
class open_options {
public:
    open_options() noexcept = default;

    /// For reading. The default, unless another access is set; for both, set it beside write().
    open_options& read() noexcept { return set(reads); }
    /// For writing, and not for reading unless read() is said too.
    open_options& write() noexcept { return set(writes); }
    /// For writing, and whatever is written goes to the end, also if others write to the file.
    open_options& append() noexcept { return set(writes | io::open_append); }
    /// Makes the file if it is not there. Needs write() or append(), as the next two do.
    open_options& create() noexcept { return set(io::open_create); }
    /// Makes the file; file_exists if it is there, a symbolic link that leads nowhere included.
    open_options& create_new() noexcept { return set(io::open_create_new); }
    /// Empties it.
    open_options& truncate() noexcept { return set(io::open_truncate); }
    /// It must be a directory; not_a_directory otherwise.
    open_options& directory() noexcept { return set(io::open_directory); }
    /// The last part of the path must not be a symbolic link; too_many_symbolic_link_levels otherwise.
    open_options& no_follow() noexcept { return set(io::open_no_follow); }
    /// Past the page cache: memory, places and sizes are multiples of the device's blocks then
    /// (eddy/fs/aligned_buffer.hpp). Where the file system has no such thing, invalid_argument.
    open_options& direct() noexcept { return set(io::open_direct); }
    /// A write ends when it has been carried to the device, as if sync() came after each (O_SYNC).
    open_options& synchronous() noexcept { return set(io::open_synchronous); }
    /// The same as if sync_data() did (O_DSYNC).
    open_options& synchronous_data() noexcept { return set(io::open_synchronous_data); }
    /// Reading leaves the time of access as it is; operation_not_permitted if the file is another user's.
    open_options& keep_access_time() noexcept { return set(io::open_no_access_time); }
    /// The path is a directory, in which a file without a name is made; it goes when it is closed.
    open_options& unnamed() noexcept { return set(io::open_unnamed); }
    /// The permission bits of a file that is made, less those of the program's umask. 0666 by default.
    open_options& mode(std::uint32_t bits) noexcept {
        mode_ = bits;
        return *this;
    }

    [[nodiscard]] std::uint32_t mode() const noexcept { return mode_; }
    /// As an operation takes it (io::open_flags).
    [[nodiscard]] std::uint64_t flags() const noexcept {
        const std::uint64_t rest = flags_ & ~(reads | writes);
        if ((flags_ & writes) == 0)
            return rest;
        return rest | io::open_write | ((flags_ & reads) == 0 ? std::uint64_t{io::open_no_read} : 0);
    }
    /// Whether the request contradicts itself in a way that the system would overlook or misunderstand.
    [[nodiscard]] bool is_contradictory() const noexcept {
        constexpr std::uint64_t changes =
            io::open_create | io::open_create_new | io::open_truncate | io::open_unnamed;
        return (flags_ & changes) != 0 && (flags_ & writes) == 0;
    }

private:
    static constexpr std::uint64_t reads = std::uint64_t{1} << 62;
    static constexpr std::uint64_t writes = std::uint64_t{1} << 63;

    open_options& set(std::uint64_t bits) noexcept {
        flags_ |= bits;
        return *this;
    }

    std::uint64_t flags_ = 0;
    std::uint32_t mode_ = 0666;
};

}  // namespace eddy
