#include "own_servers.hpp"

#include <eddy/fs/names.hpp>
#include <eddy/http/message/percent_encoding.hpp>
#include <eddy/os/command.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <pwd.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace todo {

namespace {

namespace files = std::filesystem;

bool is_root() noexcept {
    return geteuid() == 0;
}

// Debian keeps PostgreSQL's programs out of the PATH, by version.
std::string find_postgres_programs() {
    std::string newest;
    std::error_code nothing;
    for (const auto& version : files::directory_iterator("/usr/lib/postgresql", nothing))
        if (files::exists(version.path() / "bin/initdb"))
            newest = std::max(newest, (version.path() / "bin/").string());
    return newest;  // empty: in the PATH
}

// A program of PostgreSQL, as a user that may run it.
eddy::command postgres_program(const std::string& path) {
    if (!is_root())
        return eddy::command(path);
    if (getpwnam("postgres") == nullptr)
        throw std::runtime_error(
            "PostgreSQL refuses to run as root, and there is no user postgres: "
            "run this as another user");
    eddy::command made("setpriv");
    made.arguments("--reuid=postgres", "--regid=postgres", "--clear-groups", "--", path);
    return made;
}

// Makes the directory of PostgreSQL's data, for its user.
eddy::task<> make_data_directory(std::string path) {
    eddy::command making("install");
    making.arguments("-d", "-m", "0700");
    if (is_root())
        making.arguments("-o", "postgres", "-g", "postgres");
    making.argument(std::move(path));
    co_await run_to_end("install", std::move(making));
}

}  // namespace

eddy::task<std::unique_ptr<own_servers>> own_servers::start(std::string directory,
                                                            std::string postgres_programs) {
    std::unique_ptr<own_servers> made(new own_servers());
    if (directory.empty()) {
        made->temporary_.emplace(co_await eddy::fs::make_temporary_directory());
        directory = made->temporary_->path().text();
        if (is_root())  // in root's temporary directories, which the user postgres may not enter
            files::permissions(directory, files::perms::others_exec, files::perm_options::add);
    } else {
        directory = files::absolute(directory).string();
        co_await eddy::fs::create_directories(directory);
    }
    made->directory_ = std::move(directory);
    if (postgres_programs.empty())
        postgres_programs = find_postgres_programs();
    else
        postgres_programs += '/';
    co_await made->start_postgres(std::move(postgres_programs));
    co_await made->start_redis();
    co_return made;
}

eddy::task<> own_servers::start_postgres(std::string programs) {
    const std::string data = directory_ + "/postgres";
    co_await make_data_directory(data);
    // Every connection is trusted, since no other user can enter the directory with the socket.
    if (forgets() || !files::exists(data + "/PG_VERSION")) {
        eddy::command making = postgres_program(programs + "initdb");
        making.arguments("--pgdata", data, "--username=postgres", "--auth=trust", "--encoding=UTF8",
                         "--no-locale", "--no-sync");
        co_await run_to_end("initdb", std::move(making));
    }
    eddy::command serving = postgres_program(programs + "postgres");
    serving.arguments("-D", data, "-c", "listen_addresses=", "-c", "unix_socket_directories=" + data);
    if (forgets())
        serving.arguments("-c", "fsync=off");
    postgres_ = co_await server_process::start("PostgreSQL", std::move(serving),
                                               "database system is ready to accept connections");
}

eddy::task<> own_servers::start_redis() {
    const std::string data = directory_ + "/redis";
    eddy::command making("install");
    making.arguments("-d", "-m", "0700", data);
    co_await run_to_end("install", std::move(making));
    eddy::command serving("redis-server");
    // A cache may forget: nothing is saved.
    serving.arguments("--port", "0", "--unixsocket", data + "/socket", "--unixsocketperm", "700", "--dir",
                      data, "--save", "", "--appendonly", "no", "--maxmemory", "64mb", "--maxmemory-policy",
                      "allkeys-lru");
    redis_ = co_await server_process::start("Redis", std::move(serving), "ready to accept connections");
}

std::string own_servers::database() const {
    return "postgresql://postgres@" + eddy::http::percent_encode(directory_ + "/postgres") + "/postgres";
}

std::string own_servers::redis() const {
    std::string path = eddy::http::percent_encode(directory_ + "/redis/socket");
    for (std::size_t at = 0; (at = path.find("%2F", at)) != std::string::npos;)
        path.replace(at, 3, "/");
    return "unix://" + path;
}

eddy::task<> own_servers::stop() {
    co_await redis_->stop(SIGTERM);
    co_await postgres_->stop(SIGINT);  // "fast": connections are closed, and nothing is lost
    if (temporary_)
        co_await temporary_->remove();
}

}  // namespace todo
