#pragma once

#include <eddy/io/detail/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <linux/aio_abi.h>

namespace eddy::backends {

/// Reads of files past the page cache, by the asynchronous I/O that Linux has for just these (io_submit(2)): many at a
/// time need no thread. Writes are not among them: where one extends its file, submitting it waits for the device.
///
/// Thread safety: belongs to the backend's thread.
class direct_reads {
public:
    /// `notified`: an eventfd to which the system adds 1 when a read ends.
    explicit direct_reads(int notified) noexcept : notified_(notified) {}
    direct_reads(const direct_reads&) = delete;
    direct_reads& operator=(const direct_reads&) = delete;
    /// Requires: no read is under way.
    ~direct_reads();

    /// Begins an operation, which cannot be taken back. `owner` is returned when it ends. False: nothing was done, since
    /// the system does not do such, or not now. Requires: is_direct(op).
    [[nodiscard]] bool begin(const io::operation& op, void* owner) noexcept;

    /// Whether one is known to have ended.
    [[nodiscard]] bool has_ended() const noexcept { return under_way_ != 0 && has_event(); }

    /// Calls end(owner, result) for those that have ended, in the order in which they did, and waits until there is one.
    /// A result of -EAGAIN: nothing was done, since the caller would have had to wait for the device. Requires: one is
    /// under way.
    template <class End>
    void take_ended(End end) noexcept {
        io_event events[batch_max];
        const int count = take(events);
        for (int each = 0; each < count; ++each)
            end(reinterpret_cast<void*>(static_cast<std::uintptr_t>(events[each].data)),
                static_cast<std::int32_t>(events[each].res));
    }

private:
    static constexpr int under_way_max = 256;
    static constexpr int batch_max = 32;

    [[nodiscard]] bool prepare() noexcept;
    [[nodiscard]] bool has_event() const noexcept;
    int take(io_event (&events)[batch_max]) noexcept;

    int notified_;
    bool is_refused_ = false;
    std::size_t under_way_ = 0;
    aio_context_t context_ = 0;  // 0: none yet
};

}  // namespace eddy::backends
