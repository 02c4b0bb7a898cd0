#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/files/detail/cached_file.hpp>
#include <eddy/http/files/detail/file_description.hpp>
#include <eddy/http/message/detail/content_coding.hpp>

#include <chrono>
#include <cstddef>
#include <expected>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace eddy::http {

/// How a file_cache behaves. Setters chain.
class file_cache_options {
public:
    file_cache_options() noexcept = default;

    /// How long a file is served without checking whether it has changed. 0: it is checked each time.
    file_cache_options& validity(duration value) noexcept {
        validity_ = value;
        return *this;
    }
    /// Files kept, with an open descriptor each if they are large, and one more for each large encoded form.
    /// The least recently used one goes first.
    file_cache_options& entries_max(std::size_t count) noexcept {
        entries_max_ = count;
        return *this;
    }
    /// Files up to this size are kept in memory.
    file_cache_options& small_file_bytes_max(std::size_t bytes) noexcept {
        small_file_bytes_max_ = bytes;
        return *this;
    }
    /// All files in memory together, with their encoded forms.
    file_cache_options& memory_bytes_max(std::size_t bytes) noexcept {
        memory_bytes_max_ = bytes;
        return *this;
    }
    /// Whether encoded forms are looked for beside a file: "style.css.br" and "style.css.gz".
    file_cache_options& precompressed(bool value) noexcept {
        is_precompressed_ = value;
        return *this;
    }
    /// Whether encoded forms are made of files in memory that have none beside them: once, at high levels.
    file_cache_options& compresses(bool value) noexcept {
        compresses_ = value;
        return *this;
    }
    /// Smaller files are not compressed.
    file_cache_options& compressed_bytes_min(std::size_t bytes) noexcept {
        compressed_bytes_min_ = bytes;
        return *this;
    }

    [[nodiscard]] duration validity() const noexcept { return validity_; }
    [[nodiscard]] std::size_t entries_max() const noexcept { return entries_max_; }
    [[nodiscard]] std::size_t small_file_bytes_max() const noexcept { return small_file_bytes_max_; }
    [[nodiscard]] std::size_t memory_bytes_max() const noexcept { return memory_bytes_max_; }
    [[nodiscard]] bool precompressed() const noexcept { return is_precompressed_; }
    [[nodiscard]] bool compresses() const noexcept { return compresses_; }
    [[nodiscard]] std::size_t compressed_bytes_min() const noexcept { return compressed_bytes_min_; }

private:
    duration validity_ = std::chrono::seconds(1);
    std::size_t entries_max_ = 1024;
    std::size_t small_file_bytes_max_ = 64 * 1024;
    std::size_t memory_bytes_max_ = 64 * 1024 * 1024;
    std::size_t compressed_bytes_min_ = 256;
    bool is_precompressed_ = false;
    bool compresses_ = false;
};

/// The files below a directory, kept open or in memory, and looked at again once their validity is over; with
/// their encoded forms, if the options say so.
///
/// Thread safety: none; belongs to its worker.
class file_cache {
public:
    /// A file of the cache, valid as long as it is held.
    using file_pointer = std::shared_ptr<const cached_file>;

    /// The description outlives the cache; without one, files have their media type by their extension.
    file_cache(directory root, file_cache_options options, const file_description& description = plain());
    file_cache(const file_cache&) = delete;
    file_cache& operator=(const file_cache&) = delete;

    /// The file if it is here and need not be looked at again; else null.
    [[nodiscard]] file_pointer find(std::string_view path) noexcept;

    /// Looks at the file and keeps it. `path` is relative to the directory and never leaves it; empty is the
    /// directory itself. Errors are those of opening and reading (no_such_file_or_directory, permission_denied,
    /// ...). They are not kept. Dropped: nothing is kept, and nothing waits.
    [[nodiscard]] task<std::expected<file_pointer, std::error_code>> load(std::string path);

    /// The encoded form of a file that was found or loaded by this path, which is kept with it, as is that
    /// there is none (null). It is a file beside it (with ".gz" or ".br" behind its name) that is not older,
    /// or made of it on the offload pool if it is in memory. While one request has it made others get null.
    /// Dropped: a form that is being made is finished and forgotten.
    [[nodiscard]] task<file_pointer> load_encoded(std::string path, file_pointer plain,
                                                  content_coding coding);

    /// The directory that it reads from.
    [[nodiscard]] const directory& root() const noexcept { return root_; }
    /// How many files it has.
    [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }
    /// How many bytes of files it keeps in memory.
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

    directory root_;
    file_cache_options options_;
    const file_description& description_;
    std::size_t memory_bytes_ = 0;
    entry_list order_;
    std::unordered_map<std::string_view, entry_list::iterator> entries_;  // keys are the entries' paths
};

}  // namespace eddy::http
