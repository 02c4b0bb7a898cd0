#include "backend/posix/bound_sockets.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <sys/stat.h>

namespace eddy::backends {

namespace {

// Behind seven columns, as the owner has given it to bind(2).
std::string_view path_in(std::string_view line) noexcept {
    for (int column = 0; column < 7; ++column) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        line.remove_prefix(std::min(line.find(' '), line.size()));
    }
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.substr(0, line.find('\n'));
}

bool is_file(const char* path, const io::file_identity& which) noexcept {
    struct stat status{};
    return ::lstat(path, &status) == 0 && io::file_identity{status.st_dev, status.st_ino} == which;
}

}  // namespace

int find_bound_socket(const eddy::local_endpoint& at, const io::file_identity& which) noexcept {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> listed(std::fopen("/proc/net/unix", "re"),
                                                                 &std::fclose);
    if (listed == nullptr)
        return -errno;
    char* line = nullptr;
    std::size_t room = 0;
    bool is_found = false;
    ssize_t size = 0;
    while (!is_found && (size = ::getline(&line, &room, listed.get())) > 0) {
        const std::string_view path = path_in({line, static_cast<std::size_t>(size)});
        if (path.empty())
            continue;
        line[path.data() + path.size() - line] = '\0';
        is_found = path == at.c_str() || (path.front() == '/' && is_file(path.data(), which));
    }
    std::free(line);
    return is_found ? 1 : std::ferror(listed.get()) != 0 ? -EIO : 0;
}

}  // namespace eddy::backends
