// A multishot receive with ring-mapped buffers by hand: one request, a completion for each piece that arrives.
//
//     cmake --build build/course/reader --target lab3_many_reports && build/course/reader/lab3_many_reports
//
// Prints:
//     5 bytes in buffer 0, more to come
//     6 bytes in buffer 1, more to come
//     -105 (No buffer space available), the last one

#include <liburing.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

int main() {
    io_uring ring{};
    int ends[2];
    if (io_uring_queue_init(8, &ring, 0) < 0 || ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return 1;

    constexpr unsigned count = 2;  // a power of two
    static char memory[count][16];
    auto* const free_buffers = static_cast<io_uring_buf_ring*>(std::aligned_alloc(4096, 4096));
    io_uring_buf_ring_init(free_buffers);
    io_uring_buf_reg request{};
    request.ring_addr = reinterpret_cast<std::uintptr_t>(free_buffers);
    request.ring_entries = count;
    request.bgid = 0;  // the group's number
    if (io_uring_register_buf_ring(&ring, &request, 0) < 0)
        return 1;
    for (unsigned at = 0; at < count; ++at) {
        io_uring_buf_ring_add(free_buffers, memory[at], sizeof(memory[at]), static_cast<unsigned short>(at),
                              io_uring_buf_ring_mask(count), static_cast<int>(at));
    }
    io_uring_buf_ring_advance(free_buffers, count);  // now the kernel sees them

    io_uring_sqe* entry = io_uring_get_sqe(&ring);
    io_uring_prep_recv_multishot(entry, ends[0], nullptr, 0, 0);
    entry->flags |= IOSQE_BUFFER_SELECT;
    entry->buf_group = 0;
    io_uring_submit(&ring);

    for (const char* text : {"hello", "again!", "no buffer is left for this"}) {
        if (::write(ends[1], text, std::strlen(text)) < 0)
            return 1;
        io_uring_cqe* seen = nullptr;
        io_uring_wait_cqe(&ring, &seen);
        // [snippet: report]
        if (seen->res >= 0)
            std::printf("%d bytes in buffer %u, ", seen->res, seen->flags >> IORING_CQE_BUFFER_SHIFT);
        else
            std::printf("%d (%s), ", seen->res, std::strerror(-seen->res));
        std::puts((seen->flags & IORING_CQE_F_MORE) != 0 ? "more to come" : "the last one");
        // [/snippet]
        io_uring_cqe_seen(&ring, seen);
    }
    io_uring_queue_exit(&ring);
}
