#include "backend/uring/polled_transfer.hpp"

#include "backend/posix/gentle_transfers.hpp"
#include "backend/posix/native_buffers.hpp"
#include "backend/posix/raw_syscalls.hpp"
#include "backend/posix/system_call.hpp"

#include <cerrno>
#include <csignal>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// Kernels that refuse RWF_NOWAIT here (before 6.10) have no other transfer that does not wait either: neither
// the ring's for this descriptor, nor any, before 6.4, for a pipe.
bool does_kernel_try() noexcept {
    sigset_t none;
    sigemptyset(&none);
    const int signals = ::signalfd(-1, &none, SFD_CLOEXEC);
    if (signals < 0)
        return false;
    signalfd_siginfo record{};
    const iovec memory{&record, sizeof(record)};
    const bool does_try = raw::preadv2(signals, &memory, 1, -1, RWF_NOWAIT) < 0 && errno == EAGAIN;
    ::close(signals);
    return does_try;
}

}  // namespace

bool is_polled_first(const io::operation& op) noexcept {
    static const bool is_left_to_kernel = does_kernel_try();
    return !is_left_to_kernel && !is_plain_file(op.descriptor);
}

std::int32_t transfer_when_ready(const io::operation& op) noexcept {
    return static_cast<std::int32_t>(uninterrupted_long([&] {
        std::uint64_t size = length_of(op);
        return op.code == io::opcode::read ? read_gently(op.descriptor, op.address, size)
                                           : write_gently(op.descriptor, op.address, size);
    }));
}

}  // namespace eddy::backends
