#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"
#include "fs/unique_name.hpp"

#include <eddy/fs/open.hpp>
#include <eddy/fs/remove_all.hpp>
#include <eddy/fs/temporary.hpp>

#include <cstdlib>
#include <exception>

namespace eddy {

temporary_folder::~temporary_folder() {
    if (files_ == nullptr)
        return;
    try {
        const auto removal = files_->remove_tree(path_.text());
        while (removal->step() > 0) {
        }
    } catch (const std::exception&) {
        // Memory is out: what is left stays.
    }
}

task<> temporary_folder::remove() {
    co_await fs::remove_all(path_);
    files_ = nullptr;
}

namespace fs {

std::string temporary_place() {
    const char* const said = std::getenv("TMPDIR");
    return said != nullptr && *said != '\0' ? said : "/tmp";
}

task<temporary_folder> make_temporary_folder(file_path below) {
    co_return co_await detail::on_pool(
        [](io::file_system& files, const file_path& place) {
            static_cast<void>(place.checked());
            file_path made = detail::unique_name(files, place.text());
            detail::require_done(files.create_folder(made.checked(), 0700), "make a temporary folder in",
                                 place);
            return temporary_folder(files, std::move(made));
        },
        std::move(below));
}

task<file> make_temporary_file(file_path below) {
    co_return co_await open(std::move(below), open_options().read().write().unnamed().mode(0600));
}

}  // namespace fs

}  // namespace eddy
