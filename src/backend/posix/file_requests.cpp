#include "backend/posix/file_requests.hpp"

#include <cstdint>
#include <fcntl.h>

namespace eddy::backends {

namespace {

std::uint64_t access_mode(std::uint64_t flags) noexcept {
    if ((flags & io::open_write) == 0)
        return O_RDONLY;
    return (flags & io::open_no_read) != 0 ? O_WRONLY : O_RDWR;
}

struct flag_pair {
    io::open_flags requested;
    std::uint64_t native;
};

constexpr flag_pair open_flag_pairs[] = {
    {io::open_directory, O_DIRECTORY},    {io::open_append, O_APPEND},
    {io::open_create, O_CREAT},           {io::open_create_new, O_CREAT | O_EXCL},
    {io::open_truncate, O_TRUNC},         {io::open_no_follow, O_NOFOLLOW},
    {io::open_direct, O_DIRECT},          {io::open_unnamed, O_TMPFILE},
    {io::open_synchronous, O_SYNC},       {io::open_synchronous_data, O_DSYNC},
    {io::open_no_access_time, O_NOATIME},
};

}  // namespace

open_how to_open_how(const io::operation& op) noexcept {
    open_how how{};
    // Without O_NONBLOCK a named pipe would block the thread until its other end is opened.
    how.flags = access_mode(op.size) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    for (const auto& [flag, native] : open_flag_pairs)
        if ((op.size & flag) != 0)
            how.flags |= native;
    // Permission bits that nothing is made with are an error to the system.
    if ((op.size & (io::open_create | io::open_create_new | io::open_unnamed)) != 0)
        how.mode = op.offset;
    if (op.code == io::opcode::open_beneath)
        how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    return how;
}

int opening_directory(const io::operation& op) noexcept {
    return op.code == io::opcode::open && op.descriptor < 0 ? AT_FDCWD : op.descriptor;
}

}  // namespace eddy::backends
