#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::io {

/// What a folder says of an entry. What it does not say for certain is unknown (some file systems say
/// nothing).
enum class entry_kind : std::uint8_t { unknown, regular, folder, symbolic_link, other };

/// Some entries of a folder, or of a tree. Their paths stand behind each other in one text.
struct folder_batch {
    struct entry {
        std::uint64_t inode;
        std::uint32_t path_begin;  ///< relative to where the reading began
        std::uint32_t name_begin;  ///< the last part of the path
        std::uint32_t path_end;    ///< behind which stands a NUL
        std::uint16_t depth;       ///< 1 for what the folder itself holds
        entry_kind kind;
        std::int32_t error;  ///< of a folder that cannot be read: a negative error number
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

/// Reads a folder, or a tree, batch by batch.
///
/// Thread safety: one thread at a time, on the offload pool; it may be destroyed by any.
class folder_reader {
public:
    folder_reader() = default;
    folder_reader(const folder_reader&) = delete;
    folder_reader& operator=(const folder_reader&) = delete;
    virtual ~folder_reader() = default;

    /// Fills an empty batch; leaves it empty at the end. A folder comes before what is in it. Gives a
    /// negative error number if the folder itself cannot be read; one below it that cannot be is an entry
    /// with an error, which comes after its entry as a folder. Throws std::bad_alloc.
    [[nodiscard]] virtual int read(folder_batch& out) = 0;
};

/// Removes a tree, step by step. Thread safety: as of a reader.
class tree_removal {
public:
    tree_removal() = default;
    tree_removal(const tree_removal&) = delete;
    tree_removal& operator=(const tree_removal&) = delete;
    virtual ~tree_removal() = default;

    /// Goes on for some milliseconds. Gives 1 if there is more to do, 0 when all is gone, or a negative error
    /// number. Throws std::bad_alloc.
    [[nodiscard]] virtual int step() = 0;
    /// How many files and folders are gone.
    [[nodiscard]] virtual std::uint64_t removed() const noexcept = 0;
};

}  // namespace eddy::io
