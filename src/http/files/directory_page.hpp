#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/directory.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

// What a page says of one file or directory.
struct listed_entry {
    listed_entry(std::string named, bool directory) noexcept
        : name(std::move(named)), is_directory(directory) {}

    std::string name;
    bool is_directory;
    std::uint64_t size = 0;
    std::int64_t modified_seconds = 0;
};

// What a directory holds, directories first, then by name.
struct directory_content {
    std::vector<listed_entry> entries;
    bool is_cut_off = false;
};

// Reads the directory that was opened below `root` at `path`. Symbolic links are there if they lead to a file or
// directory below the root. What cannot be looked at is left out. Throws std::system_error if the directory itself
// cannot be read.
[[nodiscard]] task<directory_content> read_directory_content(const directory& root, std::string path,
                                                             file opened, std::size_t entries_max,
                                                             bool has_dot_files);

// A page for people, without scripts. `title`: the directory's path as bytes, which may be any.
[[nodiscard]] std::string render_directory_page(std::string_view title, const directory_content& content);

// Bytes as a part of a URL's path: all but unreserved ones (RFC 3986 section 2.3) and slashes are escaped.
[[nodiscard]] std::string escape_path(std::string_view path);

}  // namespace eddy::http
