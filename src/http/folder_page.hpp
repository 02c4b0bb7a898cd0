#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

// What a page says of one file or folder.
struct listed_entry {
    listed_entry(std::string named, bool folder) noexcept : name(std::move(named)), is_folder(folder) {}

    std::string name;
    bool is_folder;
    std::uint64_t size = 0;
    std::int64_t modified_seconds = 0;
};

// What a folder holds, folders first, then by name.
struct folder_content {
    std::vector<listed_entry> entries;
    bool is_cut_off = false;
};

// Reads the folder that was opened below `root` at `path`. Symbolic links are there if they lead to a file or
// folder below the root. What cannot be looked at is left out. Throws std::system_error if the folder itself
// cannot be read.
[[nodiscard]] task<folder_content> read_folder_content(const folder& root, std::string path, file opened,
                                                       std::size_t entries_max, bool has_dot_files);

// A page for people, without scripts. `title`: the folder's path as bytes, which may be any.
[[nodiscard]] std::string render_folder_page(std::string_view title, const folder_content& content);

// Bytes as a part of a URL's path: all but unreserved ones (RFC 3986 section 2.3) and slashes are escaped.
[[nodiscard]] std::string escape_path(std::string_view path);

}  // namespace eddy::http
