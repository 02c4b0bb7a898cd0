#pragma once

#include <liburing.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace baseline {

/// A server by hand: one ring, no coroutine, nothing that may go wrong considered. What yours is compared with.
/// `answer(received)` returns the bytes to send for those of one receive, which stay where they are until these are sent; an
/// empty span: nothing to send yet.
template <class Answer>
class server_by_hand {
public:
    server_by_hand(int listening, Answer answer) : listening_(listening), answer_(answer) {
        io_uring_params params{};
        params.flags = IORING_SETUP_CQSIZE | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER |
                       IORING_SETUP_DEFER_TASKRUN;
        params.cq_entries = 4096;
        if (io_uring_queue_init_params(512, &ring_, &params) < 0)
            std::abort();
        void* const mapped = ::mmap(nullptr, buffers * sizeof(io_uring_buf), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        free_ = static_cast<io_uring_buf_ring*>(mapped);
        io_uring_buf_ring_init(free_);
        io_uring_buf_reg request{};
        request.ring_addr = reinterpret_cast<std::uintptr_t>(free_);
        request.ring_entries = buffers;
        if (io_uring_register_buf_ring(&ring_, &request, 0) < 0)
            std::abort();
        for (unsigned at = 0; at < buffers; ++at)
            give_back(at);
    }

    /// Does not return.
    void run() {
        io_uring_sqe& accepting = entry();
        io_uring_prep_multishot_accept(&accepting, listening_, nullptr, nullptr, 0);
        io_uring_sqe_set_data64(&accepting, accepted);
        for (;;) {
            io_uring_submit_and_wait(&ring_, 1);
            unsigned head = 0;
            unsigned count = 0;
            io_uring_cqe* seen = nullptr;
            io_uring_for_each_cqe(&ring_, head, seen) {
                ++count;
                handle(*seen);
            }
            io_uring_cq_advance(&ring_, count);
        }
    }

private:
    static constexpr unsigned buffers = 1024;
    static constexpr std::size_t size = 4096;
    // user_data: what it was in the lowest bits, then the buffer, then the descriptor.
    enum : std::uint64_t { accepted = 0, received = 1, sent = 2 };

    io_uring_sqe& entry() {
        io_uring_sqe* free = io_uring_get_sqe(&ring_);
        while (free == nullptr) {
            io_uring_submit(&ring_);
            free = io_uring_get_sqe(&ring_);
        }
        return *free;
    }
    void give_back(unsigned buffer) {
        io_uring_buf_ring_add(free_, memory_.get() + buffer * size, size, static_cast<unsigned short>(buffer),
                              io_uring_buf_ring_mask(buffers), 0);
        io_uring_buf_ring_advance(free_, 1);
    }
    void receive(std::uint64_t descriptor) {
        io_uring_sqe& receiving = entry();
        io_uring_prep_recv_multishot(&receiving, static_cast<int>(descriptor), nullptr, 0, 0);
        receiving.flags |= IOSQE_BUFFER_SELECT;
        io_uring_sqe_set_data64(&receiving, descriptor << 32 | received);
    }

    void handle(const io_uring_cqe& seen) {
        const std::uint64_t descriptor = seen.user_data >> 32;
        switch (seen.user_data & 3) {
            case accepted:
                if (seen.res >= 0)
                    receive(static_cast<std::uint64_t>(seen.res));
                break;
            case received: {
                if (seen.res <= 0) {
                    ::close(static_cast<int>(descriptor));
                    break;
                }
                const unsigned buffer = seen.flags >> IORING_CQE_BUFFER_SHIFT;
                const std::span<const std::byte> answer = answer_(std::span<const std::byte>(
                    memory_.get() + buffer * size, static_cast<std::size_t>(seen.res)));
                if (answer.empty()) {
                    give_back(buffer);
                    break;
                }
                io_uring_sqe& sending = entry();
                io_uring_prep_send(&sending, static_cast<int>(descriptor), answer.data(), answer.size(),
                                   MSG_NOSIGNAL | MSG_WAITALL);
                io_uring_sqe_set_data64(&sending, descriptor << 32 | buffer << 2 | sent);
                break;
            }
            case sent:
                give_back(static_cast<unsigned>(seen.user_data) >> 2);
                break;
        }
    }

    int listening_;
    Answer answer_;
    io_uring ring_{};
    io_uring_buf_ring* free_ = nullptr;
    std::unique_ptr<std::byte[]> memory_{new std::byte[buffers * size]};
};

}  // namespace baseline
