#include <seccomp.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <sys/uio.h>
#include <unistd.h>

// Runs a program as if the kernel lacked something:
//
//     without nowait PROGRAM [ARGUMENT...]  transfers of pipes, signals and terminals that do not wait (RWF_NOWAIT), as
//                                           before Linux 6.4
//     without aio PROGRAM [ARGUMENT...]     asynchronous input and output (io_setup(2)), which can be configured out

namespace {

bool refuse_nowait(scmp_filter_ctx filter) {
    constexpr unsigned flags_argument = 5;
    const scmp_arg_cmp has_flag{flags_argument, SCMP_CMP_MASKED_EQ, RWF_NOWAIT, RWF_NOWAIT};
    bool is_refused = true;
    for (const int call : {SCMP_SYS(preadv2), SCMP_SYS(pwritev2)})
        is_refused =
            is_refused && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EOPNOTSUPP), call, 1, has_flag) == 0;
    return is_refused;
}

bool refuse(std::string_view what) {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool is_refused = filter != nullptr;
    if (what == "nowait")
        is_refused = is_refused && refuse_nowait(filter);
    else if (what == "aio")
        is_refused =
            is_refused && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(io_setup), 0) == 0;
    else
        is_refused = false;
    is_refused = is_refused && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_refused;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || !refuse(argv[1])) {
        std::fprintf(stderr, "without: no such thing to refuse, no program, or no filter\n");
        return 2;
    }
    ::execv(argv[2], argv + 2);
    std::perror("without");
    return 2;
}
