#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/http/error.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/file_cache.hpp>
#include <eddy/http/request_handler.hpp>

#include <expected>
#include <string>
#include <system_error>

namespace eddy::http {

/// Serves the files below a folder: GET and HEAD, conditional requests, single ranges, `index.html` for
/// folders (whose names are redirected to their form with a slash). Nothing outside the folder is ever
/// opened, whatever the target's dots and escapes or the file system's symbolic links say; a link out of it
/// is as if it were not there (404). What the server may not read is 403, as is anything that is neither file
/// nor folder.
///
/// Thread safety: none; belongs to its worker.
class static_files final : public request_handler {
public:
    explicit static_files(folder root, file_cache_options options = {}) : files_(std::move(root), options) {}

    [[nodiscard]] prompt_task<> handle(exchange& asked) override;

private:
    /// Where the target leads: a file that is here, the path of one to load, or an error.
    struct destination {
        message_error error;
        bool is_error = false;
        bool names_folder = false;  // so that it leads to the folder's index
        file_cache::file_pointer here;
        std::string path;
    };
    [[nodiscard]] destination find(std::string_view target);
    [[nodiscard]] task<void> handle_slowly(exchange& asked, destination found);
    [[nodiscard]] static prompt_task<> answer_file(exchange& asked, file_cache::file_pointer found);

    file_cache files_;
};

}  // namespace eddy::http
