#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/http/cached_file.hpp>
#include <eddy/http/content_coding.hpp>
#include <eddy/http/file_cache_options.hpp>
#include <eddy/http/file_description.hpp>

#include <cstddef>
#include <expected>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace eddy::http {

/// The files below a folder, kept open or in memory, and looked at again once their validity is over; with
/// their encoded forms, if the options say so.
///
/// Thread safety: none; belongs to its worker.
class file_cache {
public:
    using file_pointer = std::shared_ptr<const cached_file>;

    /// The description outlives the cache; without one, files have their media type by their extension.
    file_cache(folder root, file_cache_options options, const file_description& description = plain());
    file_cache(const file_cache&) = delete;
    file_cache& operator=(const file_cache&) = delete;

    /// The file if it is here and need not be looked at again; else null.
    [[nodiscard]] file_pointer find(std::string_view path) noexcept;

    /// Looks at the file and keeps it. `path` is relative to the folder and never leaves it; empty is the
    /// folder itself. Errors are those of opening and reading (no_such_file_or_directory, permission_denied,
    /// ...). They are not kept.
    [[nodiscard]] task<std::expected<file_pointer, std::error_code>> load(std::string path);

    /// The encoded form of a file that was found or loaded by this path, which is kept with it, as is that
    /// there is none (null). It is a file beside it (with ".gz" or ".br" behind its name) that is not older,
    /// or made of it on the offload pool if it is in memory. While one request has it made others get null.
    [[nodiscard]] task<file_pointer> load_encoded(std::string path, file_pointer plain,
                                                  content_coding coding);

    [[nodiscard]] const folder& root() const noexcept { return root_; }
    [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }
    [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }

private:
    using cached_pointer = std::shared_ptr<cached_file>;
    struct entry {
        std::string path;
        cached_pointer file;
    };
    using entry_list = std::list<entry>;  // most recently used first

    [[nodiscard]] static const file_description& plain() noexcept;
    [[nodiscard]] task<cached_pointer> read(file opened, io::file_status status, cached_file::origin from);
    [[nodiscard]] task<file_pointer> load_sibling(std::string path, file_pointer plain,
                                                  content_coding coding);
    [[nodiscard]] task<file_pointer> encode(std::string path, file_pointer plain, content_coding coding);
    void attach(std::string_view path, const file_pointer& plain, content_coding coding,
                file_pointer encoded) noexcept;
    void keep(std::string path, const cached_pointer& made);
    void forget(std::string_view path) noexcept;
    void erase(entry_list::iterator where) noexcept;
    void evict() noexcept;

    folder root_;
    file_cache_options options_;
    const file_description& description_;
    std::size_t memory_bytes_ = 0;
    entry_list order_;
    std::unordered_map<std::string_view, entry_list::iterator> entries_;  // keys are the entries' paths
};

}  // namespace eddy::http
