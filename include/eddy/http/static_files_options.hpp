#pragma once

#include <eddy/http/compression_options.hpp>
#include <eddy/http/field_block.hpp>
#include <eddy/http/file_cache_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// How static_files serves a folder. Setters chain.
class static_files_options {
public:
    static_files_options() = default;
    /// All else by default.
    static_files_options(file_cache_options value) : cache_(value) {}

    /// What is kept, for how long. Its precompressed() and compresses() are set by compress().
    static_files_options& cache(const file_cache_options& value) noexcept {
        cache_ = value;
        return *this;
    }
    /// The files that stand for their folder; the first one that is there. None: folders are listed or 404.
    static_files_options& index_names(std::vector<std::string> names) {
        index_names_ = std::move(names);
        return *this;
    }
    /// Whether a folder without an index is shown as a page with the names in it.
    static_files_options& listing(bool value) noexcept {
        has_listing_ = value;
        return *this;
    }
    /// A larger folder is cut off there, and its page says so.
    static_files_options& listing_entries_max(std::size_t count) noexcept {
        listing_entries_max_ = count;
        return *this;
    }
    /// Whether types that gain from it are sent encoded to clients that accept that: from a file beside the
    /// plain one ("style.css.br", "style.css.gz") that is not older, from memory where a small file was
    /// compressed once, or compressed on the way.
    static_files_options& compress(bool value) noexcept {
        compresses_ = value;
        return *this;
    }
    /// How what is not in memory is compressed on its way.
    static_files_options& compression(http::compression_options value) {
        compression_ = std::move(value);
        return *this;
    }
    /// Files of which any part of the path begins with a dot are as if they were not there (404), except
    /// below "/.well-known/" (RFC 8615). True: they are served.
    static_files_options& dot_files(bool value) noexcept {
        serves_dot_files_ = value;
        return *this;
    }
    /// Sends Cache-Control with files whose path matches. The first rule that matches counts. In the pattern
    /// "*" stands for any characters, "/" included; one without a slash is compared with the name only.
    /// Throws std::invalid_argument for a value that no field can have.
    static_files_options& cache_control(std::string pattern, std::string value);
    /// Adds a field to every answer. Throws std::invalid_argument.
    static_files_options& add_field(std::string_view name, std::string_view value);
    /// The Content-Type for an extension (without the dot, in any case), before the built-in ones. Throws
    /// std::invalid_argument.
    static_files_options& media_type(std::string_view extension, std::string value);

    [[nodiscard]] const file_cache_options& cache() const noexcept { return cache_; }
    [[nodiscard]] const std::vector<std::string>& index_names() const noexcept { return index_names_; }
    [[nodiscard]] bool listing() const noexcept { return has_listing_; }
    [[nodiscard]] std::size_t listing_entries_max() const noexcept { return listing_entries_max_; }
    [[nodiscard]] bool compress() const noexcept { return compresses_; }
    [[nodiscard]] const http::compression_options& compression() const noexcept { return compression_; }
    [[nodiscard]] bool dot_files() const noexcept { return serves_dot_files_; }
    [[nodiscard]] const field_block& fields() const noexcept { return fields_; }

    /// The Cache-Control for a path; empty for none.
    [[nodiscard]] std::string_view cache_control_for(std::string_view path) const noexcept;
    /// The Content-Type for a path.
    [[nodiscard]] std::string_view media_type_for(std::string_view path) const noexcept;

private:
    file_cache_options cache_;
    std::vector<std::string> index_names_ = {"index.html"};
    std::vector<std::pair<std::string, std::string>> cache_rules_;  // pattern, value
    std::vector<std::pair<std::string, std::string>> media_types_;  // extension in lower case, type
    field_block fields_;
    http::compression_options compression_;
    std::size_t listing_entries_max_ = 10'000;
    bool has_listing_ = false;
    bool compresses_ = false;
    bool serves_dot_files_ = false;
};

}  // namespace eddy::http
