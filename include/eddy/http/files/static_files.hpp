#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/http/files/detail/file_description.hpp>
#include <eddy/http/files/file_cache.hpp>
#include <eddy/http/message/detail/content_coding.hpp>
#include <eddy/http/message/detail/error.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/routing/compression.hpp>
#include <eddy/http/server/exchange.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// How static_files serves a directory. Setters chain.
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
    /// The files that stand for their directory; the first one that is there. None: directories are listed or 404.
    static_files_options& index_names(std::vector<std::string> names) {
        index_names_ = std::move(names);
        return *this;
    }
    /// Whether a directory without an index is shown as a page with the names in it.
    static_files_options& listing(bool value) noexcept {
        has_listing_ = value;
        return *this;
    }
    /// A larger directory is cut off there, and its page says so.
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
    /// Adds a field to every response. Throws std::invalid_argument.
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
    /// Fields of every response.
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

/// Serves the files below a directory: GET and HEAD, conditional requests (RFC 9110 section 13), single and
/// several ranges (section 14), an index for directories (whose names are redirected to their form with a slash),
/// and by the options encoded forms by negotiation and pages that list directories. Nothing outside the directory is
/// ever opened, whatever the target's dots and escapes or the file system's symbolic links say; a link out of
/// it is as if it were not there (404). What the server may not read is 403, as is anything that is neither
/// file nor directory.
///
/// A client that excludes the plain form ("identity;q=0") gets 406 where there is no other.
///
/// Dropped: a form that is being encoded is finished and forgotten; nothing else continues.
/// Cost: a small file that is in memory takes one look-up in a hash table and no allocation.
/// Thread safety: none; belongs to its worker.
class static_files final : public request_handler {
public:
    explicit static_files(directory root, static_files_options options = {});
    /// Requires: no request was handled yet. One that was moved from may only be destroyed.
    static_files(static_files&& other) noexcept = default;
    static_files& operator=(static_files&&) = delete;
    ~static_files() override = default;

    [[nodiscard]] ready_or_task<> handle(exchange& ex) override;

private:
    /// What answers say of a file, as the options have it.
    class description final : public file_description {
    public:
        explicit description(const static_files_options& options) noexcept : options_(options) {}
        [[nodiscard]] std::string_view media_type(std::string_view path) const override;
        [[nodiscard]] bool has_codings(std::string_view path) const override;
        void add_fields(std::string_view path, field_block& fields) const override;

    private:
        const static_files_options& options_;
    };
    /// Where the target leads: a file that is here, the path of one to load, or an error.
    struct destination {
        message_error error;
        bool is_error = false;
        bool names_directory = false;  // so that it leads to the directory's index
        file_cache::file_pointer here;
        std::string path;  // of the file, or of the directory that is named
    };
    /// Which form of a file a client gets: one that is here, or one to load; neither if none will do.
    struct selection {
        file_cache::file_pointer form;
        std::optional<content_coding> wanted;
    };

    [[nodiscard]] destination find(std::string_view target);
    [[nodiscard]] selection select(const request_head& request, const file_cache::file_pointer& plain) const;
    void compress_on_the_way(exchange& ex, const cached_file& form) const;
    [[nodiscard]] ready_or_task<> respond(exchange& ex, file_cache::file_pointer plain,
                                          std::string_view path);
    [[nodiscard]] task<void> respond_encoded(exchange& ex, file_cache::file_pointer plain, std::string path);
    [[nodiscard]] task<void> handle_slowly(exchange& ex, destination found);
    [[nodiscard]] task<void> handle_directory(exchange& ex, std::string path);
    [[nodiscard]] task<void> list_directory(exchange& ex, std::string path);
    [[nodiscard]] task<void> refuse_method(exchange& ex) const;
    [[nodiscard]] task<void> refuse_codings(exchange& ex) const;
    [[nodiscard]] task<void> redirect_to_directory(exchange& ex) const;
    [[nodiscard]] bool is_hidden(std::string_view path) const noexcept;

    /// Parts that refer to each other, so that they stay where they are when the whole is moved.
    struct parts {
        parts(directory root, static_files_options chosen);

        static_files_options options;
        compression_options compression_at_any_size;
        description said;
        file_cache files;
    };

    std::unique_ptr<parts> parts_;
    const static_files_options& options_;
    const compression_options& compression_at_any_size_;
    file_cache& files_;
};

}  // namespace eddy::http
