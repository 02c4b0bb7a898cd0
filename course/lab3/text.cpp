// io_uring without anything around it: reads from a pipe, and prints the completion.
//
//     cmake --build build/course/reader --target lab3_by_hand && build/course/reader/lab3_by_hand
//
// Prints: request 7 has read 5 bytes: hello

#include <liburing.h>

#include <cstdio>
#include <unistd.h>

int main() {
    io_uring ring{};
    if (io_uring_queue_init(8, &ring, 0) < 0)
        return 1;
    int ends[2];
    if (::pipe(ends) < 0 || ::write(ends[1], "hello", 5) != 5)
        return 1;

    // [snippet: by-hand]
    char bytes[16];
    io_uring_sqe* entry = io_uring_get_sqe(&ring);  // a free entry of the submission queue
    io_uring_prep_read(entry, ends[0], bytes, sizeof(bytes), 0);
    io_uring_sqe_set_data64(entry, 7);   // comes back with the completion
    io_uring_submit_and_wait(&ring, 1);  // the only system call

    io_uring_cqe* seen = nullptr;
    io_uring_peek_cqe(&ring, &seen);  // the oldest completion
    std::printf("request %llu has read %d bytes: %.*s\n", static_cast<unsigned long long>(seen->user_data),
                seen->res, seen->res, bytes);
    io_uring_cqe_seen(&ring, seen);  // its place is free again
    // [/snippet]
    io_uring_queue_exit(&ring);
}
