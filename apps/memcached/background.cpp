#include "memcached/background.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <grp.h>
#include <pwd.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::apps::memcached {

namespace {

[[noreturn]] void throw_last(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

void enter_background(bool keeps_standard_streams) {
    if (::daemon(1, keeps_standard_streams ? 1 : 0) != 0)
        throw_last("daemon");
}

void become_user(const std::string& name) {
    if (name.empty() || ::geteuid() != 0)
        return;
    errno = 0;
    const passwd* const user = ::getpwnam(name.c_str());
    if (user == nullptr)
        throw std::invalid_argument("--user: there is no user '" + name + "'");
    if (::initgroups(name.c_str(), user->pw_gid) != 0 || ::setgid(user->pw_gid) != 0 ||
        ::setuid(user->pw_uid) != 0)
        throw_last("--user " + name);
}

process_file::process_file(std::string path) : path_(std::move(path)) {
    if (path_.empty())
        return;
    errno = 0;
    std::ofstream file(path_);
    file << ::getpid() << '\n';
    if (!file.flush())
        throw_last("--pidfile " + path_);
}

process_file::~process_file() {
    if (!path_.empty())
        std::remove(path_.c_str());
}

}  // namespace eddy::apps::memcached
