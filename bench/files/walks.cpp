#include "files/reads.hpp"

#include <eddy/eddy.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

constexpr std::int64_t entries = files_of_tree + directories_of_tree;

eddy::task<std::int64_t> count_entries(const std::string& path) {
    std::int64_t count = 0;
    std::size_t length = 0;
    eddy::directory_walk walk = eddy::fs::walk(path);
    while (const auto entry = co_await walk.next()) {
        ++count;
        length += entry->relative_path().size();
    }
    co_return length > 0 ? count : 0;
}

eddy::task<sample> walk_on(const std::string& path, double seconds) {
    const stopwatch watch;
    const time_window window(seconds);
    std::int64_t walks = 0;
    do {
        const std::int64_t count = co_await count_entries(path);
        if (count != entries)
            throw failure("the walk has found " + std::to_string(count) + " entries");
        ++walks;
    } while (!window.is_over());
    co_return watch.stop(walks * entries);
}

void run_find(const std::string& path) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    std::string name = "find";
    std::string argument = path;
    char* const arguments[] = {name.data(), argument.data(), nullptr};
    pid_t child = 0;
    int status = 1;
    const int result = posix_spawnp(&child, "find", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (result != 0 || waitpid(child, &status, 0) != child || status != 0)
        throw failure("find could not be run");
}

}  // namespace

sample eddy_walks(double seconds) {
    const std::string path = sample_tree();
    return eddy::run(walk_on(path, seconds), eddy::runtime_options().workers(1));
}

// With the time that find takes to start, about one part in a hundred.
sample find_walks(double seconds) {
    const std::string path = sample_tree();
    run_find(path);
    const stopwatch watch;
    const time_window window(seconds);
    std::int64_t walks = 0;
    do {
        run_find(path);
        ++walks;
    } while (!window.is_over());
    return watch.stop(walks * entries);
}

}  // namespace bench
