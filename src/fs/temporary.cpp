#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"
#include "fs/unique_name.hpp"

#include <eddy/fs/names.hpp>
#include <eddy/fs/temporary.hpp>

#include <cstdint>
#include <cstdlib>
#include <exception>

namespace eddy {

temporary_directory::~temporary_directory() {
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

task<> temporary_directory::remove() {
    co_await fs::remove_all(path_);
    files_ = nullptr;
}

namespace fs {

std::string temporary_place() {
    const char* const said = std::getenv("TMPDIR");
    return said != nullptr && *said != '\0' ? said : "/tmp";
}

task<temporary_directory> make_temporary_directory(file_path below) {
    co_return co_await detail::on_pool(
        [](io::file_system& files, const file_path& place, std::uint64_t bits) {
            static_cast<void>(place.checked());
            file_path made = detail::unique_name(place.text(), bits);
            detail::require_done(files.create_directory(made.checked(), 0700),
                                 "make a temporary directory in", place);
            return temporary_directory(files, std::move(made));
        },
        std::move(below), detail::random_bits());
}

task<file> make_temporary_file(file_path below) {
    co_return co_await open(std::move(below), open_options().read().write().unnamed().mode(0600));
}

}  // namespace fs

}  // namespace eddy
