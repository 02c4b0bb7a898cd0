#pragma once

#include <eddy/base/clock.hpp>

#include <chrono>
#include <cstddef>

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

}  // namespace eddy::http
