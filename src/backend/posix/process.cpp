#include <eddy/io/process.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace eddy::io {

namespace {

constexpr int first_other_descriptor = 3;

/// The two descriptions of posix_spawn(3), and the first error met while making them.
class spawn_plan {
public:
    spawn_plan() noexcept {
        note(::posix_spawn_file_actions_init(&actions_));
        note(::posix_spawnattr_init(&attributes_));
    }
    spawn_plan(const spawn_plan&) = delete;
    spawn_plan& operator=(const spawn_plan&) = delete;
    ~spawn_plan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    void note(int result) noexcept {
        if (error_ == 0)
            error_ = result;
    }
    [[nodiscard]] int error() const noexcept { return error_; }
    [[nodiscard]] posix_spawn_file_actions_t& actions() noexcept { return actions_; }
    [[nodiscard]] posix_spawnattr_t& attributes() noexcept { return attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
    int error_ = 0;
};

void plan_signals(spawn_plan& plan, const process_request& wanted) noexcept {
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (wanted.group) {
        flags |= POSIX_SPAWN_SETPGROUP;
        plan.note(::posix_spawnattr_setpgroup(&plan.attributes(), *wanted.group));
    }
    plan.note(::posix_spawnattr_setsigmask(&plan.attributes(), &none));
    plan.note(::posix_spawnattr_setsigdefault(&plan.attributes(), &defaults));
    plan.note(::posix_spawnattr_setflags(&plan.attributes(), static_cast<short>(flags)));
}

/// The standard streams' descriptors, none of which is another's place.
using moved_streams = std::array<plain_descriptor, 3>;

void plan_streams(spawn_plan& plan, const process_request& wanted, moved_streams& moved) noexcept {
    for (std::size_t place = 0; place < moved.size(); ++place) {
        int from = wanted.streams[place];
        if (from == process_request::inherited)
            continue;
        if (from < first_other_descriptor) {
            moved[place] = plain_descriptor(::fcntl(from, F_DUPFD_CLOEXEC, first_other_descriptor));
            from = moved[place].get();
            if (from < 0)
                return plan.note(errno);
        }
        plan.note(::posix_spawn_file_actions_adddup2(&plan.actions(), from, static_cast<int>(place)));
    }
    plan.note(::posix_spawn_file_actions_addclosefrom_np(&plan.actions(), first_other_descriptor));
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

void end_now(int id) noexcept {
    ::kill(id, SIGKILL);
    int status = 0;
    while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace

process::~process() {
    if (id_ == 0)
        return;
    send(SIGKILL);
    end_now(id_);
}

int process::send(int signal) const noexcept {
    // Its number is its own as long as its end was not collected.
    return ::kill(is_leader_ ? -id_ : id_, signal) == 0 ? 0 : -errno;
}

std::optional<process_end> process::collect() noexcept {
    int status = 0;
    int result = 0;
    do {
        result = ::waitpid(id_, &status, WNOHANG);
    } while (result < 0 && errno == EINTR);
    if (result == 0)
        return std::nullopt;
    id_ = 0;
    process_end end;
    // ECHILD: somebody else has collected it, or SIGCHLD is ignored; nobody can tell how it has ended.
    if (result < 0)
        end.code = -1;
    else if (WIFSIGNALED(status))
        end = {0, WTERMSIG(status), WCOREDUMP(status)};
    else
        end.code = WEXITSTATUS(status);
    return end;
}

process_result start_process(const process_request& wanted) {
    const std::vector<char*> arguments = pointers_to(wanted.arguments);
    const std::vector<char*> variables = pointers_to(wanted.environment.value_or(std::vector<std::string>()));
    moved_streams moved;
    spawn_plan plan;
    plan_signals(plan, wanted);
    if (!wanted.folder.empty())
        plan.note(::posix_spawn_file_actions_addchdir_np(&plan.actions(), wanted.folder.c_str()));
    plan_streams(plan, wanted, moved);
    if (plan.error() != 0)
        return {{}, -plan.error()};
    pid_t id = 0;
    const int result = ::posix_spawnp(&id, wanted.program.c_str(), &plan.actions(), &plan.attributes(),
                                      arguments.data(), wanted.environment ? variables.data() : environ);
    if (result != 0)
        return {{}, -result};
    plain_descriptor descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
    if (descriptor.get() < 0) {
        const int error = errno;
        end_now(id);
        return {{}, -error};
    }
    return {process(id, std::move(descriptor), wanted.group == 0), 0};
}

plain_descriptor open_for_process(const char* path, bool is_writing, bool is_appending) noexcept {
    const int ways = is_writing ? O_WRONLY | O_CREAT | (is_appending ? O_APPEND : O_TRUNC) : O_RDONLY;
    const int opened = ::open(path, ways | O_CLOEXEC | O_NOCTTY, 0666);
    return plain_descriptor(opened < 0 ? -errno : opened);
}

}  // namespace eddy::io
