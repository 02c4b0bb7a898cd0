#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::io {

/// What a directory says of an entry. What it does not say for certain is unknown (some file systems say
/// nothing).
enum class entry_kind : std::uint8_t { unknown, regular, directory, symbolic_link, other };

/// Some entries of a directory, or of a tree. Their paths stand behind each other in one text.
struct directory_batch {
    struct entry {
        std::uint64_t inode;
        std::uint32_t path_begin;  ///< relative to where the reading began
        std::uint32_t name_begin;  ///< the last part of the path
        std::uint32_t path_end;    ///< behind which stands a NUL
        std::uint16_t depth;       ///< 1 for what the directory itself holds
        entry_kind kind;
        std::int32_t error;  ///< of a directory that cannot be read: a negative error number
    };
    std::vector<entry> entries;
    std::string paths;

    void clear() noexcept {
        entries.clear();
        paths.clear();
    }
    [[nodiscard]] std::string_view path(const entry& of) const noexcept {
        return {paths.data() + of.path_begin, of.path_end - of.path_begin};
    }
    [[nodiscard]] std::string_view name(const entry& of) const noexcept {
        return {paths.data() + of.name_begin, of.path_end - of.name_begin};
    }
};

/// Reads a directory, or a tree, batch by batch.
///
/// Thread safety: one thread at a time, on the offload pool; it may be destroyed by any.
class directory_reader {
public:
    directory_reader() = default;
    directory_reader(const directory_reader&) = delete;
    directory_reader& operator=(const directory_reader&) = delete;
    virtual ~directory_reader() = default;

    /// Fills an empty batch; leaves it empty at the end. A directory comes before what is in it. Returns a
    /// negative error number if the directory itself cannot be read; one below it that cannot be is an entry
    /// with an error, which comes after its entry as a directory. Throws std::bad_alloc.
    [[nodiscard]] virtual int read(directory_batch& out) = 0;
};

/// Removes a tree, step by step. Thread safety: as of a reader.
class tree_removal {
public:
    tree_removal() = default;
    tree_removal(const tree_removal&) = delete;
    tree_removal& operator=(const tree_removal&) = delete;
    virtual ~tree_removal() = default;

    /// Works for some milliseconds. Returns 1 if there is more to do, 0 when all is removed, or a negative
    /// error number. Throws std::bad_alloc.
    [[nodiscard]] virtual int step() = 0;
    /// How many files and directories are gone.
    [[nodiscard]] virtual std::uint64_t removed() const noexcept = 0;
};

}  // namespace eddy::io
