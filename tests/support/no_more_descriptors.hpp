#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace eddy::test {

/// Leaves this process no further descriptor while it lives.
class no_more_descriptors {
public:
    no_more_descriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const int next = ::dup(0);
        ::close(next);
        rlimit lowered = before_;
        lowered.rlim_cur = static_cast<rlim_t>(next);
        ::setrlimit(RLIMIT_NOFILE, &lowered);
    }
    no_more_descriptors(const no_more_descriptors&) = delete;
    no_more_descriptors& operator=(const no_more_descriptors&) = delete;
    ~no_more_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

}  // namespace eddy::test
