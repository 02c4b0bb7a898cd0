#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/http/content_coding.hpp>
#include <eddy/http/error.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/file_cache.hpp>
#include <eddy/http/file_description.hpp>
#include <eddy/http/request_handler.hpp>
#include <eddy/http/static_files_options.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// Serves the files below a folder: GET and HEAD, conditional requests (RFC 9110 section 13), single and
/// several ranges (section 14), an index for folders (whose names are redirected to their form with a slash),
/// and by the options encoded forms by negotiation and pages that list folders. Nothing outside the folder is
/// ever opened, whatever the target's dots and escapes or the file system's symbolic links say; a link out of
/// it is as if it were not there (404). What the server may not read is 403, as is anything that is neither
/// file nor folder.
///
/// A client that excludes the plain form ("identity;q=0") gets 406 where there is no other.
///
/// Dropped: a form that is being encoded is finished and forgotten; nothing else goes on.
/// Cost: a small file that is in memory takes one look into a hash table and no allocation.
/// Thread safety: none; belongs to its worker.
class static_files final : public request_handler {
public:
    explicit static_files(folder root, static_files_options options = {});
    static_files(const static_files&) = delete;
    static_files& operator=(const static_files&) = delete;

    [[nodiscard]] prompt_task<> handle(exchange& asked) override;

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
        bool names_folder = false;  // so that it leads to the folder's index
        file_cache::file_pointer here;
        std::string path;  // of the file, or of the folder that is named
    };
    /// Which form of a file a client gets: one that is here, or one to load; neither if none will do.
    struct selection {
        file_cache::file_pointer form;
        std::optional<content_coding> wanted;
    };

    [[nodiscard]] destination find(std::string_view target);
    [[nodiscard]] selection select(const request_head& request, const file_cache::file_pointer& plain) const;
    void compress_on_the_way(exchange& asked, const cached_file& form) const;
    [[nodiscard]] prompt_task<> answer(exchange& asked, file_cache::file_pointer plain,
                                       std::string_view path);
    [[nodiscard]] task<void> answer_encoded(exchange& asked, file_cache::file_pointer plain,
                                            std::string path);
    [[nodiscard]] task<void> handle_slowly(exchange& asked, destination found);
    [[nodiscard]] task<void> handle_folder(exchange& asked, std::string path);
    [[nodiscard]] task<void> list_folder(exchange& asked, std::string path);
    [[nodiscard]] task<void> refuse_method(exchange& asked) const;
    [[nodiscard]] task<void> redirect_to_folder(exchange& asked) const;
    [[nodiscard]] bool is_hidden(std::string_view path) const noexcept;

    static_files_options options_;
    compression_options compression_at_any_size_;
    description description_;
    file_cache files_;
};

}  // namespace eddy::http
