#pragma once

#include <liburing.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <system_error>
#include <utility>

namespace bench {

// Buffers that the kernel picks from when bytes arrive (a provided buffer ring, group 0). Taken ones are
// given back one by one and shown to the kernel by publish().
class buffer_ring {
public:
    static constexpr std::size_t buffer_size = 16384;

    // Requires: count is a power of two. Throws std::system_error.
    buffer_ring(io_uring& ring, unsigned count) : count_(count) {
        memory_ = static_cast<char*>(map(std::size_t{count} * stride));
        ring_ = static_cast<io_uring_buf_ring*>(map(count * sizeof(io_uring_buf)));
        io_uring_buf_reg registration{};
        registration.ring_addr = reinterpret_cast<std::uintptr_t>(ring_);
        registration.ring_entries = count;
        if (const int error = io_uring_register_buf_ring(&ring, &registration, 0); error != 0)
            throw std::system_error(-error, std::generic_category(), "io_uring_register_buf_ring");
        io_uring_buf_ring_init(ring_);
        for (unsigned id = 0; id < count; ++id)
            give_back(id);
        publish();
    }

    char* operator[](unsigned id) const { return memory_ + id * stride; }

    void give_back(unsigned id) {
        io_uring_buf_ring_add(ring_, (*this)[id], buffer_size, static_cast<unsigned short>(id),
                              io_uring_buf_ring_mask(count_), static_cast<int>(unpublished_++));
    }

    // Returns how many there were.
    unsigned publish() {
        io_uring_buf_ring_advance(ring_, static_cast<int>(unpublished_));
        return std::exchange(unpublished_, 0);
    }

private:
    // A cache line more than the size: short messages at the heads of equal-sized buffers would otherwise
    // all fall into the same few cache sets.
    static constexpr std::size_t stride = buffer_size + 64;

    static void* map(std::size_t size) {
        void* memory =
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (memory == MAP_FAILED)
            throw std::system_error(errno, std::generic_category(), "mmap");
        return memory;
    }

    unsigned count_;
    char* memory_;
    io_uring_buf_ring* ring_;
    unsigned unpublished_ = 0;
};

}  // namespace bench
