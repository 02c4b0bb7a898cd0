#include <seccomp.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <sys/uio.h>
#include <unistd.h>

// Runs a program as if on a kernel older than 6.4, which knows no transfer that does not wait (RWF_NOWAIT)
// for pipes, signals and terminals:
//
//     without_nowait PROGRAM [ARGUMENT...]

namespace {

bool refuse_flag() {
    constexpr unsigned flags_argument = 5;
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const scmp_arg_cmp has_flag{flags_argument, SCMP_CMP_MASKED_EQ, RWF_NOWAIT, RWF_NOWAIT};
    bool is_refused = filter != nullptr;
    for (const int call : {SCMP_SYS(preadv2), SCMP_SYS(pwritev2)})
        is_refused =
            is_refused && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EOPNOTSUPP), call, 1, has_flag) == 0;
    is_refused = is_refused && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_refused;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || !refuse_flag()) {
        std::fprintf(stderr, "without_nowait: no program, or no filter\n");
        return 2;
    }
    ::execv(argv[1], argv + 1);
    std::perror("without_nowait");
    return 2;
}
