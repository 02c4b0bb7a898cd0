#include "backend/epoll/direct_reads.hpp"

#include "backend/posix/native_buffers.hpp"

#include <eddy/detail/assert.hpp>

#include <atomic>
#include <cerrno>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace eddy::backends {

namespace {

// What the system maps at a context's address: where the events are until they are taken. fs/aio.c calls it
// aio_ring and has kept it since 2.6; a system that does it differently has another magic number.
struct event_ring {
    static constexpr unsigned magic_of_linux = 0xa10a10a1;

    unsigned id;
    unsigned size;
    unsigned head;
    unsigned tail;
    unsigned magic;
};

event_ring& ring_of(aio_context_t context) noexcept {
    return *reinterpret_cast<event_ring*>(static_cast<std::uintptr_t>(context));
}

}  // namespace

direct_reads::~direct_reads() {
    if (context_ != 0)
        ::syscall(SYS_io_destroy, context_);
}

// Not before the first read: how many contexts there may be is limited for all programs together
// (/proc/sys/fs/aio-max-nr).
bool direct_reads::prepare() noexcept {
    if (context_ != 0 || is_refused_)
        return !is_refused_;
    is_refused_ = ::syscall(SYS_io_setup, under_way_max, &context_) != 0;
    if (!is_refused_ && ring_of(context_).magic != event_ring::magic_of_linux) {
        is_refused_ = true;
        ::syscall(SYS_io_destroy, std::exchange(context_, 0));
    }
    return !is_refused_;
}

bool direct_reads::begin(const io::operation& op, void* owner) noexcept {
    const bool has_many = op.code == io::opcode::read_vectored_at;
    if ((!has_many && op.code != io::opcode::read_at) || !prepare())
        return false;
    iocb request{};
    request.aio_data = reinterpret_cast<std::uintptr_t>(owner);
    request.aio_lio_opcode = has_many ? IOCB_CMD_PREADV : IOCB_CMD_PREAD;
    request.aio_fildes = static_cast<std::uint32_t>(op.descriptor);
    request.aio_buf = reinterpret_cast<std::uintptr_t>(op.address);
    request.aio_nbytes = has_many ? vectors_of(op) : length_of(op);
    request.aio_offset = static_cast<std::int64_t>(op.offset);
    // What would keep this thread waiting, for a block of the file's map or for room in the device's queue, is refused.
    request.aio_rw_flags = RWF_NOWAIT;
    request.aio_flags = IOCB_FLAG_RESFD;
    request.aio_resfd = static_cast<std::uint32_t>(notified_);
    iocb* requests[] = {&request};
    if (::syscall(SYS_io_submit, context_, 1L, requests) != 1)
        return false;
    ++under_way_;
    return true;
}

bool direct_reads::has_event() const noexcept {
    event_ring& ring = ring_of(context_);
    return ring.head != std::atomic_ref(ring.tail).load(std::memory_order_relaxed);
}

int direct_reads::take(io_event (&events)[batch_max]) noexcept {
    long count = 0;
    do
        count = ::syscall(SYS_io_getevents, context_, 1L, long{batch_max}, events, nullptr);
    while (count < 0 && errno == EINTR);
    EDDY_ASSERT(count > 0, "what waits for a read past the page cache has begun one");
    under_way_ -= static_cast<std::size_t>(count);
    return static_cast<int>(count);
}

}  // namespace eddy::backends
