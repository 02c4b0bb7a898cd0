#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/io/detail/speculation.hpp>
#include <eddy/io/detail/system.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace eddy::io {

/// The result of an attempt that has done nothing. No error number is that large.
inline constexpr std::int32_t not_now = std::numeric_limits<std::int32_t>::min();

/// Counters of a backend, readable by any thread; each only grows.
struct backend_metrics {
    std::uint64_t kernel_entries = 0;  ///< system calls that submit, reap, wait or transfer
    std::uint64_t submitted = 0;       ///< operations begun
    std::uint64_t completions = 0;
    std::uint64_t withdrawn = 0;  ///< operations taken back
    std::uint64_t starved = 0;    ///< receives that found every buffer in use
};

/// What carries operations out: what takes time. One instance a worker; with io::system, which is all else, the
/// seam between eddy and the operating system.
///
/// Thread safety: belongs to the thread that made it, except wake().
class backend {
public:
    /// `name`: as backend_kind spells it.
    explicit backend(const char* name) noexcept : name_(name) {}
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;
    virtual ~backend() = default;

    [[nodiscard]] const char* name() const noexcept { return name_; }

    /// The calls that are no operations, made so that they fit this backend.
    [[nodiscard]] const io::system& system() const noexcept { return system_; }
    void set_system(const io::system& fitting) noexcept { system_ = fitting; }

    // -- operations --

    /// Carries out a transfer or a shutdown now, if the system can do so without waiting and that promises to
    /// be cheaper than submit(). Returns the result (of a send or write with `whole` perhaps that of a part),
    /// or `not_now`: nothing was done. `hope` is kept with the descriptor across attempts of the same kind.
    /// Requires: the operation is idle, as it stays.
    [[nodiscard]] virtual std::int32_t try_now(operation& op, speculation& record, try_reason when) noexcept {
        static_cast<void>(op);
        static_cast<void>(record);
        static_cast<void>(when);
        return not_now;
    }

    /// Begins an operation. Never fails: what cannot be done is reported by the completion, which never comes
    /// inside this call. Requires: the operation is idle.
    virtual void submit(operation& begun) noexcept = 0;

    /// Takes an operation back. When this returns the operation is idle, the system has forgotten it and its
    /// completed function will not be called. Returns the result of the completion that was overtaken: the
    /// result of a success that won the race, or -ECANCELED. Completions of other operations are reported on
    /// the way. Requires: the operation is under way and single-shot, and its result has not been reported.
    virtual std::int32_t withdraw(operation& ended) noexcept = 0;

    /// Requests the end of an operation, which its last completion reports in a later turn. Does nothing if
    /// the operation is idle.
    virtual void cancel(operation& ended) noexcept = 0;

    /// Enters the system at most once to submit, reap and, if nothing has completed, wait: for `wait` at the
    /// most, for ever if it has no value. Does not enter it where it need not wait and knows that there is
    /// nothing to do. Returns false if all that it has done is to go on with what an earlier turn had found, so that
    /// next to no time has passed since then.
    virtual bool turn(std::optional<duration> wait) noexcept = 0;

    /// Ends a wait in turn(), now or the next. Any thread.
    virtual void wake() noexcept = 0;
    /// The same, from a worker with a backend of the same kind, where there may be a cheaper way.
    virtual void wake_from([[maybe_unused]] backend& sender) noexcept { wake(); }

    /// For a foreign event loop: becomes readable when turn() would find something that has come since its
    /// last call, sometimes spuriously. The backend owns it. Throws std::system_error.
    [[nodiscard]] virtual int descriptor() = 0;

    /// Ends every operation and reports all last completions. Called once, before the destructor.
    virtual void drain() noexcept = 0;

    [[nodiscard]] virtual buffer_pool& buffers() noexcept = 0;
    [[nodiscard]] virtual backend_metrics metrics() const noexcept = 0;
    /// How many of the submitted operations have not reported their last completion. Found by walking: for
    /// tools that test.
    [[nodiscard]] virtual std::size_t count_under_way() noexcept = 0;

    // -- descriptors --

    /// Closes a descriptor, at the latest with the next turn; where a thread is in a call on it (a file),
    /// when that call has ended. Never waits. Requires: what is under way on it was cancelled.
    virtual void close(int descriptor) noexcept = 0;
    /// Closes now what close() was called for. So its names and ports are free, and its descriptors. (Files
    /// on which threads are in calls are closed later still.) Never waits.
    virtual void finish_closing() noexcept {}
    /// Forgets what is known of a descriptor that is released while open. Requires: no operation is under way
    /// on it.
    virtual void forget([[maybe_unused]] int descriptor) noexcept {}

private:
    const char* name_;
    io::system system_;
};

}  // namespace eddy::io
