#pragma once

#include <liburing.h>

#include <cerrno>
#include <system_error>

namespace bench {

// An io_uring for one thread that asks for its completions (SINGLE_ISSUER | DEFER_TASKRUN).
class ring {
public:
    // Throws std::system_error when the kernel does not offer such a ring.
    ring() {
        io_uring_params parameters{};
        parameters.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
        parameters.cq_entries = 16384;
        check(io_uring_queue_init_params(4096, &ring_, &parameters), "io_uring_queue_init_params");
        check(io_uring_register_ring_fd(&ring_), "io_uring_register_ring_fd");
    }
    ring(const ring&) = delete;
    ~ring() { io_uring_queue_exit(&ring_); }

    io_uring& native() { return ring_; }

    // A free submission entry; hands the gathered ones to the kernel first when there is none.
    io_uring_sqe* entry() {
        io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
        if (!sqe) {
            check(io_uring_submit(&ring_), "io_uring_submit");
            sqe = io_uring_get_sqe(&ring_);
        }
        return sqe;
    }

    // One system call: submits what has gathered and waits for a completion, unless there is one already.
    void submit_and_wait() { check(io_uring_submit_and_wait(&ring_, 1), "io_uring_submit_and_wait"); }

    template <class F>
    void for_each_completion(F&& f) {
        io_uring_cqe* cqe;
        unsigned head, count = 0;
        io_uring_for_each_cqe(&ring_, head, cqe) {
            ++count;
            f(*cqe);
        }
        io_uring_cq_advance(&ring_, count);
    }

private:
    static void check(int result, const char* what) {
        if (result < 0 && result != -EINTR)
            throw std::system_error(-result, std::generic_category(), what);
    }

    io_uring ring_;
};

}  // namespace bench
