#include "backend/uring/uring_buffer_pool.hpp"

#include "backend/uring/locked_memory.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <sys/mman.h>
#include <system_error>

namespace eddy::backends {

uring_buffer_pool::uring_buffer_pool(ring& owner, std::size_t buffer_size, std::size_t buffers_max)
    : buffer_pool(buffer_size, std::min(buffers_max, ring_buffers_max)),
      ring_(owner),
      entries_(static_cast<unsigned>(std::bit_ceil(this->buffers_max()))) {
    int result = register_ring();
    for (; result == -ENOMEM && entries_ > ring_buffers_min; result = register_ring()) {
        entries_ /= 2;
        limit_buffers(entries_);
    }
    if (result < 0)
        throw std::system_error(-result, std::system_category(), "io_uring_register_buf_ring");
}

int uring_buffer_pool::register_ring() noexcept {
    void* const memory = ::mmap(nullptr, entries_ * sizeof(io_uring_buf), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -errno;
    shared_ = static_cast<io_uring_buf_ring*>(memory);
    io_uring_buf_ring_init(shared_);
    io_uring_buf_reg request{};
    request.ring_addr = reinterpret_cast<std::uintptr_t>(shared_);
    request.ring_entries = entries_;
    request.bgid = group;
    const int result = io_uring_register_buf_ring(&ring_.raw(), &request, 0);
    if (result < 0)
        ::munmap(shared_, entries_ * sizeof(io_uring_buf));
    return result;
}

uring_buffer_pool::~uring_buffer_pool() {
    io_uring_unregister_buf_ring(&ring_.raw(), group);
    ::munmap(shared_, entries_ * sizeof(io_uring_buf));
}

void uring_buffer_pool::add(index buffer, unsigned place) noexcept {
    io_uring_buf_ring_add(shared_, data(buffer), static_cast<unsigned>(buffer_size()),
                          static_cast<unsigned short>(buffer), static_cast<int>(entries_ - 1),
                          static_cast<int>(place));
}

void uring_buffer_pool::release(index buffer) noexcept {
    add(buffer, 0);
    io_uring_buf_ring_advance(shared_, 1);
    ++available_;
}

bool uring_buffer_pool::provide_more() noexcept {
    const index first = grow();
    if (first == none)
        return false;
    const auto added = static_cast<unsigned>(buffers() - first);
    for (unsigned place = 0; place < added; ++place)
        add(first + place, place);
    io_uring_buf_ring_advance(shared_, static_cast<int>(added));
    available_ += added;
    return true;
}

// The kernel takes buffers only while this thread is in io_uring_enter() (IORING_SETUP_DEFER_TASKRUN) and
// from the front. So once every completion has been seen those at the end of the ring are the free ones, and
// may be arranged anew.
bool uring_buffer_pool::withdraw_from(index first) noexcept {
    if (ring_.has_unseen_completions())
        return false;
    const unsigned mask = entries_ - 1;
    const unsigned end = shared_->tail;
    const unsigned begin = end - static_cast<unsigned>(available_);
    std::size_t found = 0;
    for (unsigned at = begin; at != end; ++at)
        found += shared_->bufs[at & mask].bid >= first ? 1 : 0;
    if (found != buffers() - first)
        return false;
    // The tail lies in the first entry, where add() does not touch it.
    unsigned kept = begin;
    for (unsigned at = begin; at != end; ++at) {
        if (const index buffer = shared_->bufs[at & mask].bid; buffer < first) {
            io_uring_buf_ring_add(shared_, data(buffer), static_cast<unsigned>(buffer_size()),
                                  static_cast<unsigned short>(buffer), static_cast<int>(mask),
                                  static_cast<int>(kept - end));
            ++kept;
        }
    }
    io_uring_buf_ring_advance(shared_, static_cast<int>(kept - end));
    available_ -= found;
    return true;
}

}  // namespace eddy::backends
