#pragma once

#include <eddy/detail/intrusive_list.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy::io {

/// The requests to the operating system that can take time. Results are the system call's own, with
/// errors as negative error numbers of std::system_category.
enum class opcode : std::uint8_t {
    accept_multishot,   ///< descriptor: listener. Each completion: a connection's descriptor.
    connect,            ///< descriptor; address: an `endpoint`. A scratch_operation.
    receive,            ///< descriptor, address, size: at least one byte, into borrowed memory; 0 at the end.
    receive_multishot,  ///< descriptor. Each completion: a number of bytes in a buffer of the pool; 0 at the
                        ///< end. Waits for a free buffer; ENOMEM if there can be none. try_now() puts the
                        ///< buffer that it has filled into `size`.
    send,               ///< descriptor, address, size, whole: bytes sent.
    send_vectored,   ///< descriptor, address: const_buffer[], size: their number, whole. A scratch_operation.
    send_zero_copy,  ///< As send, without a copy of the bytes where the system can. The first completion
                     ///< has the bytes sent; with `more` the kernel uses the memory until the second, whose
                     ///< result means nothing. withdraw() returns after the first; the second may be still to
                     ///< come. drain() may leave the second out; the bytes then stay for ever.
    shutdown,        ///< descriptor, size: 0 receiving, 1 sending, 2 both (as shutdown(2)).
    read,            ///< descriptor, address, size: a descriptor that can be polled (pipe, signals), or a
                     ///< file, at its own position; 0 at the end.
    open_beneath,  ///< descriptor: a directory; address: path; size: open_flags. Never leaves the directory.
                   ///< A scratch_operation.
    read_at,       ///< descriptor, address, size, offset: a file.

    write,  ///< descriptor, address, size, whole: a descriptor that can be polled (pipe, terminal), or a
            ///< file, at its own position. EPIPE raises no signal.

    // -- files --

    open,      ///< As open_beneath, and the path may lead anywhere. descriptor: a directory from which a
               ///< relative path begins, or -1 for the working directory.
    write_at,  ///< descriptor, address, size, offset: a file. Bytes written, perhaps fewer.
    read_vectored_at,   ///< descriptor, address: mutable_buffer[], size: their number, offset: a file.
    write_vectored_at,  ///< descriptor, address: const_buffer[], size: their number, offset: a file.

    // -- messages and readiness: io/message.hpp --

    send_message,     ///< descriptor: a socket. A message_operation. Bytes sent. To a local peer by its name:
                      ///< EAGAIN if its queue is full, since no system reports when that changes.
    receive_message,  ///< descriptor: a socket. A message_operation. Bytes received: 0 for an empty datagram,
                      ///< and at the end of what has connections.
    await_readable,   ///< Any pollable descriptor, owned by anyone. Completes with >= 0 once read() would not
                      ///< block, the end and errors included. Consumes nothing.
    await_writable,   ///< The same for a write.

    // -- bytes from one descriptor to another. splice_operations --

    splice_from,  ///< descriptor: what can be polled, or a file, size, offset: moves some bytes to a pipe
                  ///< that has space for them; 0 at the end. EINVAL where the system cannot.
    splice_to,    ///< The same from a pipe that holds so many bytes. A broken pipe raises no signal.
};

[[nodiscard]] constexpr bool is_splice(opcode kind) noexcept {
    return kind == opcode::splice_from || kind == opcode::splice_to;
}

/// Whether it is an operation on a file: it cannot be interrupted, and the device bounds its time.
[[nodiscard]] constexpr bool is_file_call(opcode kind) noexcept {
    switch (kind) {
        case opcode::open_beneath:
        case opcode::read_at:
        case opcode::open:
        case opcode::write_at:
        case opcode::read_vectored_at:
        case opcode::write_vectored_at:
            return true;
        default:
            return false;
    }
}

/// One step of an operation's outcome.
struct completion {
    std::int32_t result;
    /// Whether more completions follow. Without it this is the operation's last one.
    bool more;
    /// receive_multishot with result > 0: the buffer that was filled from its beginning, now the requester's.
    buffer_pool::index buffer;
};

struct operation_tag;

/// A request to the system, placed where it will not move until it has ended: in the awaiter, inside the
/// coroutine's frame, or in the state of a socket.
///
/// Life: idle, submit() -> under way, completions..., last completion -> idle. While it is under way it must
/// neither move nor be destroyed, and what `address` refers to must stay; backend::withdraw ends that at
/// once. The backend sets the operation idle before it reports the last completion, and does not touch it
/// afterwards.
class operation : public detail::list_hook<operation_tag> {
public:
    /// Called inside the backend's turn (or inside another operation's withdrawal). It runs no user code: it
    /// stores the result and makes a job ready.
    using completed_function = void (*)(operation&, const completion&) noexcept;

    enum class progress : std::uint8_t { idle, waiting, queued, in_flight };

    operation(opcode wanted, completed_function completed) noexcept : code(wanted), on_completed(completed) {}

    [[nodiscard]] bool is_idle() const noexcept { return state == progress::idle; }

    opcode code;
    /// send, send_vectored: do not stop before everything is sent, unless there is an error. write: continue
    /// as long as that needs no other completion; the requester writes the rest. receive_multishot: it ends with
    /// the first buffer.
    bool whole = false;
    /// The backend's: cancellation was requested.
    bool cancelling = false;
    /// The backend's: idle; waiting (for readiness, a buffer or a thread); queued (not submitted); in flight.
    progress state = progress::idle;
    int descriptor = -1;
    void* address = nullptr;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    completed_function on_completed;
    /// The backend's own.
    std::uint64_t backend_data = 0;
};

/// An operation for which the backend needs space to encode the request in the system's own terms.
class scratch_operation : public operation {
public:
    using operation::operation;
    static constexpr std::size_t scratch_size = 64;
    alignas(8) std::byte scratch[scratch_size];
};

/// splice_from and splice_to.
class splice_operation : public operation {
public:
    using operation::operation;
    /// The offset of what has no offsets: it is read or written in order.
    static constexpr std::uint64_t no_offset = ~std::uint64_t{0};

    /// The pipe's end.
    int other = -1;
    /// The backend's: the descriptor is ready, and the bytes are being moved.
    bool is_ready = false;
};

/// For open and open_beneath. The operation's offset: the permission bits of a file that is made.
enum open_flags : std::uint64_t {
    open_read = 0,
    open_directory = 1,  ///< must be a directory
    open_write = 2,
    open_no_read = 4,      ///< with open_write: not for reading
    open_append = 8,       ///< whatever is written goes to the end
    open_create = 16,      ///< makes the file if it is not there
    open_create_new = 32,  ///< makes the file, which must not be there
    open_truncate = 64,
    open_no_follow = 128,          ///< the path's last part must not be a symbolic link
    open_direct = 256,             ///< past the page cache
    open_unnamed = 512,            ///< the path is a directory, and a file without a name is made in it
    open_synchronous = 1024,       ///< a write ends when it has been carried to the device
    open_synchronous_data = 2048,  ///< the same without the times of change
    open_no_access_time = 4096,    ///< reading does not change when it was accessed
};

}  // namespace eddy::io
