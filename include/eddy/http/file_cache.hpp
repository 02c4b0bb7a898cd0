#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/http/entity_tag.hpp>
#include <eddy/http/field_block.hpp>
#include <eddy/io/backend.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace eddy::http {

/// How a file_cache behaves. Setters chain.
class file_cache_options {
public:
    file_cache_options() noexcept = default;

    /// How long a file is served without asking whether it has changed. 0: it is asked each time.
    file_cache_options& validity(duration value) noexcept {
        validity_ = value;
        return *this;
    }
    /// Files kept, with an open descriptor each if they are large. The least recently used one goes first.
    file_cache_options& entries_max(std::size_t count) noexcept {
        entries_max_ = count;
        return *this;
    }
    /// Files up to this size are kept in memory.
    file_cache_options& small_file_bytes_max(std::size_t bytes) noexcept {
        small_file_bytes_max_ = bytes;
        return *this;
    }
    /// All files in memory together.
    file_cache_options& memory_bytes_max(std::size_t bytes) noexcept {
        memory_bytes_max_ = bytes;
        return *this;
    }

    [[nodiscard]] duration validity() const noexcept { return validity_; }
    [[nodiscard]] std::size_t entries_max() const noexcept { return entries_max_; }
    [[nodiscard]] std::size_t small_file_bytes_max() const noexcept { return small_file_bytes_max_; }
    [[nodiscard]] std::size_t memory_bytes_max() const noexcept { return memory_bytes_max_; }

private:
    duration validity_ = std::chrono::seconds(1);
    std::size_t entries_max_ = 1024;
    std::size_t small_file_bytes_max_ = 64 * 1024;
    std::size_t memory_bytes_max_ = 64 * 1024 * 1024;
};

/// One version of a file: what is said of it and what is in it belong together.
class cached_file {
public:
    [[nodiscard]] bool is_folder() const noexcept {
        return status_.kind == io::file_status::file_kind::folder;
    }
    [[nodiscard]] bool is_regular() const noexcept {
        return status_.kind == io::file_status::file_kind::regular;
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return status_.size; }
    [[nodiscard]] std::int64_t modified_seconds() const noexcept {
        return status_.modified_ns / 1'000'000'000;
    }
    /// Weak for a file that was written just before it was looked at, since it could change once more without
    /// a new time.
    [[nodiscard]] const entity_tag& tag() const noexcept { return tag_; }
    /// As a Last-Modified field.
    [[nodiscard]] std::string_view last_modified() const noexcept { return last_modified_; }
    /// Content-Type, ETag, Last-Modified and Accept-Ranges.
    [[nodiscard]] const field_block& fields() const noexcept { return fields_; }

    /// The content, if it is in memory.
    [[nodiscard]] const std::optional<std::string>& content() const noexcept { return content_; }
    /// The open file, if the content is not in memory. Requires: is_regular() and no content().
    [[nodiscard]] const file& opened() const noexcept { return *opened_; }

private:
    friend class file_cache;

    cached_file(const io::file_status& status, bool is_fresh, std::string_view path);
    [[nodiscard]] bool is_same_version(const io::file_status& now) const noexcept;
    [[nodiscard]] std::size_t memory_bytes() const noexcept { return content_ ? content_->size() : 0; }

    io::file_status status_;
    bool is_tag_weak_;
    entity_tag tag_;
    std::string last_modified_;
    field_block fields_;
    std::optional<std::string> content_;
    std::optional<file> opened_;
    time_point checked_at_{};
};

/// The files below a folder, kept open or in memory, and looked at again once their validity is over.
///
/// Thread safety: none; belongs to its worker.
class file_cache {
public:
    using file_pointer = std::shared_ptr<const cached_file>;

    file_cache(folder root, file_cache_options options) : root_(std::move(root)), options_(options) {}
    file_cache(const file_cache&) = delete;
    file_cache& operator=(const file_cache&) = delete;

    /// The file if it is here and need not be looked at again; else null.
    [[nodiscard]] file_pointer find(std::string_view path) noexcept;

    /// Looks at the file and keeps it. `path` is relative to the folder and never leaves it; empty is the
    /// folder itself. Errors are those of opening and reading (no_such_file_or_directory, permission_denied,
    /// ...). They are not kept.
    [[nodiscard]] task<std::expected<file_pointer, std::error_code>> load(std::string path);

    [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }
    [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }

private:
    using cached_pointer = std::shared_ptr<cached_file>;
    struct entry {
        std::string path;
        cached_pointer file;
    };
    using entry_list = std::list<entry>;  // most recently used first

    [[nodiscard]] task<cached_pointer> read(file opened, io::file_status status, std::string_view path);
    void keep(std::string path, const cached_pointer& made);
    void forget(std::string_view path) noexcept;
    void erase(entry_list::iterator where) noexcept;

    folder root_;
    file_cache_options options_;
    std::size_t memory_bytes_ = 0;
    entry_list order_;
    std::unordered_map<std::string_view, entry_list::iterator> entries_;  // keys are the entries' paths
};

}  // namespace eddy::http
