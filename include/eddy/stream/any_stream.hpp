#pragma once

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/interruptible.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/splice_end.hpp>
#include <eddy/stream/detail/stored_operation.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// The operations of a stream.
enum class stream_operation : std::uint8_t {
    read,
    read_leased,
    write,
    write_all,
    write_buffers,
    shutdown,
    timed
};

template <class T>
using outcome = std::expected<T, std::error_code>;

/// Bytes to be written, and until when.
template <class Bytes>
class deadline_bytes {
public:
    deadline_bytes(Bytes written, time_point at) noexcept : bytes(written), deadline(at) {}
    Bytes bytes;
    time_point deadline;
};

/// A stream behind virtual functions. Each begins an operation in storage that the caller provides.
class erased_stream {
public:
    virtual ~erased_stream() = default;

    virtual void read(stored_operation<std::size_t>& storage, std::span<std::byte> out) = 0;
    virtual void read_leased(stored_operation<buffer_lease>& storage, std::nullptr_t) = 0;
    virtual void write(stored_operation<std::size_t>& storage, std::span<const std::byte> bytes) = 0;
    virtual void write_all(stored_operation<std::size_t>& storage, std::span<const std::byte> bytes) = 0;
    virtual void write_buffers(stored_operation<std::size_t>& storage, std::span<const_buffer> buffers) = 0;
    virtual void shutdown(stored_operation<void>& storage, std::nullptr_t) = 0;
    virtual void read_leased_until(stored_operation<outcome<buffer_lease>>& storage, time_point deadline) = 0;
    virtual void write_until(stored_operation<outcome<std::size_t>>& storage,
                             const deadline_bytes<std::span<const std::byte>>& requested) = 0;
    virtual void write_buffers_until(stored_operation<outcome<std::size_t>>& storage,
                                     const deadline_bytes<std::span<const_buffer>>& requested) = 0;
    /// Whether the waits of an operation can be ended from outside.
    virtual bool can_interrupt(stream_operation which) const noexcept = 0;
    virtual std::size_t try_read(std::span<std::byte> out) = 0;
    virtual std::size_t try_write(std::span<const const_buffer> buffers) = 0;
    virtual void close() = 0;
    virtual void abort() = 0;
    virtual std::optional<splice_end> splice_sink() const noexcept = 0;
    virtual std::optional<endpoint> local_endpoint() const noexcept = 0;
    virtual std::optional<endpoint> remote_endpoint() const noexcept = 0;
};

/// Reads up to 16 KiB into memory that is the lease's own, for a stream that lends no buffers.
task<buffer_lease> read_into_lease(erased_stream& source);

/// Whether a stream's reads can be ended at a deadline where they are. Others run as jobs then.
template <class Stream>
concept interruptible_source =
    leasing_source<Stream> &&
    interruptible<std::remove_cvref_t<decltype(std::declval<Stream&>().read_leased())>>;

/// The result of as_result(with_deadline(operation, deadline)) for an operation that can be interrupted.
template <class Operation>
class deadline_outcome : deadline_operation<Operation> {
    using timed = deadline_operation<Operation>;

public:
    using timed::await_ready;
    using timed::await_suspend;
    using timed::timed;
    auto await_resume() { return timed::outcome(); }
};

/// The same for any operation, which `begin` returns.
template <class Begin>
auto outcome_until(time_point deadline, Begin begin) {
    using operation = std::invoke_result_t<Begin>;
    if constexpr (interruptible<operation> && !runtime_interruptible<operation>)
        return deadline_outcome<operation>(begin, deadline);
    else
        return as_result(with_deadline(begin(), deadline));
}

/// A read that runs as a job until a deadline. What it gets stays with the stream until this is resumed, so
/// that a drop between the two loses nothing.
class kept_read {
public:
    kept_read(buffer_lease& kept, task<void> reading, time_point deadline)
        : kept_(kept), timed_(std::move(reading), deadline) {}

    bool await_ready() const noexcept { return !kept_.empty(); }
    void await_suspend(suspension point) noexcept {
        is_begun_ = true;
        timed_.await_suspend(point);
    }
    outcome<buffer_lease> await_resume() {
        if (is_begun_)
            if (auto ended = timed_.outcome(); !ended && kept_.empty())
                return std::unexpected(ended.error());
        return std::exchange(kept_, {});
    }

private:
    buffer_lease& kept_;
    deadline_task<void> timed_;
    bool is_begun_ = false;
};

template <byte_stream Stream>
class erased_stream_of final : public erased_stream {
public:
    explicit erased_stream_of(Stream stream) : stream_(std::move(stream)) {}

    void read(stored_operation<std::size_t>& storage, std::span<std::byte> out) override {
        if constexpr (!interruptible_source<Stream>)
            if (!kept_.empty())
                return storage.emplace([&] { return read_kept(out); });
        storage.emplace([&] { return stream_.read(out); });
    }
    void read_leased(stored_operation<buffer_lease>& storage, std::nullptr_t) override {
        if constexpr (!interruptible_source<Stream>)
            if (!kept_.empty())
                return storage.emplace([&] { return lease_kept(); });
        if constexpr (leasing_source<Stream>)
            storage.emplace([&] { return stream_.read_leased(); });
        else
            storage.emplace([&] { return read_into_lease(*this); });
    }
    void write(stored_operation<std::size_t>& storage, std::span<const std::byte> bytes) override {
        storage.emplace([&] { return stream_.write(bytes); });
    }
    void write_all(stored_operation<std::size_t>& storage, std::span<const std::byte> bytes) override {
        storage.emplace([&] { return stream_.write_all(bytes); });
    }
    void write_buffers(stored_operation<std::size_t>& storage, std::span<const_buffer> buffers) override {
        storage.emplace([&] { return stream_.write_all(buffers); });
    }
    void shutdown(stored_operation<void>& storage, std::nullptr_t) override {
        storage.emplace([&] { return stream_.shutdown(); });
    }
    void read_leased_until(stored_operation<outcome<buffer_lease>>& storage, time_point deadline) override {
        if constexpr (requires { stream_.read_leased_until(deadline); })
            storage.emplace([&] { return stream_.read_leased_until(deadline); });
        else if constexpr (interruptible_source<Stream>)
            storage.emplace([&] { return outcome_until(deadline, [&] { return stream_.read_leased(); }); });
        else
            storage.emplace([&] { return kept_read(kept_, keep_read(), deadline); });
    }
    void write_until(stored_operation<outcome<std::size_t>>& storage,
                     const deadline_bytes<std::span<const std::byte>>& requested) override {
        if constexpr (requires { stream_.write_until(requested.bytes, requested.deadline); })
            storage.emplace([&] { return stream_.write_until(requested.bytes, requested.deadline); });
        else
            storage.emplace([&] {
                return outcome_until(requested.deadline, [&] { return stream_.write(requested.bytes); });
            });
    }
    void write_buffers_until(stored_operation<outcome<std::size_t>>& storage,
                             const deadline_bytes<std::span<const_buffer>>& requested) override {
        if constexpr (requires { stream_.write_until(requested.bytes, requested.deadline); })
            storage.emplace([&] { return stream_.write_until(requested.bytes, requested.deadline); });
        else if constexpr (vectored_sink<Stream>)
            storage.emplace([&] {
                return outcome_until(requested.deadline, [&] { return stream_.write(requested.bytes); });
            });
        else
            storage.emplace([&] {
                return outcome_until(requested.deadline, [&] { return stream_.write_all(requested.bytes); });
            });
    }
    bool can_interrupt(stream_operation which) const noexcept override {
        switch (which) {
            case stream_operation::read:
                return interrupts<decltype(held().read(std::span<std::byte>()))>;
            case stream_operation::read_leased:
                return can_interrupt_lease();
            case stream_operation::write:
                return interrupts<decltype(held().write(std::span<const std::byte>()))>;
            case stream_operation::write_all:
                return interrupts<decltype(held().write_all(std::span<const std::byte>()))>;
            case stream_operation::write_buffers:
                return interrupts<decltype(held().write_all(std::span<const_buffer>()))>;
            case stream_operation::shutdown:
                return interrupts<decltype(held().shutdown())>;
            case stream_operation::timed:
                return false;  // ends by itself
        }
        return false;
    }
    std::size_t try_read(std::span<std::byte> out) override {
        if constexpr (requires { stream_.try_read(out); })
            return stream_.try_read(out);
        else
            return 0;
    }
    std::size_t try_write(std::span<const const_buffer> buffers) override {
        if constexpr (requires { stream_.try_write(buffers); })
            return stream_.try_write(buffers);
        else
            return 0;
    }
    void close() override { stream_.close(); }
    void abort() override {
        if constexpr (requires { stream_.abort(); })
            stream_.abort();
        else
            stream_.close();
    }
    std::optional<endpoint> local_endpoint() const noexcept override {
        if constexpr (requires { stream_.local_endpoint().address_family(); })
            return name_of([this] { return stream_.local_endpoint(); });
        else if constexpr (requires { stream_.local_endpoint()->address_family(); })
            return stream_.local_endpoint();
        else
            return std::nullopt;
    }
    std::optional<endpoint> remote_endpoint() const noexcept override {
        if constexpr (requires { stream_.remote_endpoint().address_family(); })
            return name_of([this] { return stream_.remote_endpoint(); });
        else if constexpr (requires { stream_.remote_endpoint()->address_family(); })
            return stream_.remote_endpoint();
        else
            return std::nullopt;
    }
    std::optional<splice_end> splice_sink() const noexcept override {
        if constexpr (spliceable_sink<Stream>)
            return stream_.splice_sink();
        else
            return std::nullopt;
    }

private:
    // Only static properties are examined: no operation has begun yet.
    template <class Awaited, class Awaiter = std::remove_cvref_t<awaiter_type<Awaited>>>
    static constexpr bool interrupts = interruptible<Awaiter> && !runtime_interruptible<Awaiter>;

    static Stream& held() noexcept;  // for types only

    static constexpr bool can_interrupt_lease() noexcept {
        if constexpr (leasing_source<Stream>)
            return interrupts<decltype(held().read_leased())>;
        else
            return false;
    }

    template <class Function>
    static std::optional<endpoint> name_of(Function ask) noexcept {
        try {
            return ask();
        } catch (const std::system_error&) {
            return std::nullopt;  // the connection has ended
        }
    }

    task<void> keep_read() {
        if constexpr (leasing_source<Stream>)
            kept_ = co_await stream_.read_leased();
        else
            kept_ = co_await read_into_lease(*this);
    }
    task<std::size_t> read_kept(std::span<std::byte> out) {
        const std::size_t count = std::min(out.size(), kept_.size());
        std::memcpy(out.data(), kept_.bytes().data(), count);
        kept_.remove_prefix(count);
        if (kept_.empty())
            kept_ = {};
        co_return count;
    }
    task<buffer_lease> lease_kept() { co_return std::exchange(kept_, {}); }

    struct nothing {};

    Stream stream_;
    /// What a read with a deadline had received for a task that was dropped.
    [[no_unique_address]] std::conditional_t<interruptible_source<Stream>, nothing, buffer_lease> kept_;
};

/// Awaits an operation of a stream whose type is not known. It begins when it is awaited. `Argument` is as the virtual
/// function takes it; this keeps the value.
template <class Result, class Argument>
class [[nodiscard]] erased_operation {
public:
    using argument = std::remove_cvref_t<Argument>;
    using beginning = void (erased_stream::*)(stored_operation<Result>&, Argument);

    erased_operation(erased_stream& stream, stream_operation which, beginning begin,
                     const argument& given) noexcept
        : stream_(stream), begin_(begin), argument_(given), which_(which) {}
    /// Requires: it has not been awaited yet.
    erased_operation(erased_operation&& other) noexcept
        : stream_(other.stream_), begin_(other.begin_), argument_(other.argument_), which_(other.which_) {}
    erased_operation& operator=(erased_operation&&) = delete;
    ~erased_operation() = default;

    bool await_ready() {
        (stream_.*begin_)(operation_, argument_);
        return operation_.await_ready();
    }
    transfer await_suspend(suspension point) { return operation_.await_suspend(point); }
    Result await_resume() { return operation_.await_resume(); }
    auto outcome() { return operation_.outcome(); }

    /// See detail::runtime_interruptible.
    [[nodiscard]] bool is_interruptible() const noexcept { return stream_.can_interrupt(which_); }
    [[nodiscard]] bool is_pending() const { return operation_.is_pending(); }
    void interrupt() { operation_.interrupt(); }

private:
    erased_stream& stream_;
    beginning begin_;
    argument argument_;
    stream_operation which_;
    stored_operation<Result> operation_;
};

}  // namespace detail

/// A byte_stream of any type: for code that should not be a template, and for streams whose type is chosen at
/// run time.
///
/// - Ownership: owns the stream; moves, does not copy. Requires: one that was moved from is only assigned to,
///   destroyed or tested for a stream.
/// - Thread safety, cancellation and errors: those of the stream that it holds.
/// - Cost: one allocation when it is made. An operation costs a virtual call, and no allocation that the
///   stream's own does not cost: it lies in the awaiter, which is larger for it (320 bytes). A deadline, and
///   as_result(), cost what they do around the stream's own operation.
class any_stream {
public:
    template <class Stream>
        requires(byte_stream<Stream> && !std::same_as<Stream, any_stream>)
    explicit any_stream(Stream stream)
        : stream_(std::make_unique<detail::erased_stream_of<Stream>>(std::move(stream))) {}

    /// See byte_source.
    [[nodiscard]] auto read(std::span<std::byte> out) noexcept {
        return begin<std::size_t>(detail::stream_operation::read, &detail::erased_stream::read, out);
    }
    /// See leasing_source. Of a stream that lends no buffers, 16 KiB are allocated for each read.
    [[nodiscard]] auto read_leased() noexcept {
        return begin<buffer_lease>(detail::stream_operation::read_leased, &detail::erased_stream::read_leased,
                                   nullptr);
    }
    /// Puts what has arrived into `out` without waiting, where the stream can (socket_stream::try_read());
    /// returns the number of bytes. 0 is inconclusive: await the next read.
    [[nodiscard]] std::size_t try_read(std::span<std::byte> out) { return stream_->try_read(out); }
    /// Writes what is possible without waiting, where the stream can (socket_stream::try_write()); returns
    /// the number of bytes. 0 is inconclusive: await the next write.
    [[nodiscard]] std::size_t try_write(std::span<const const_buffer> buffers) {
        return stream_->try_write(buffers);
    }
    /// See byte_sink.
    [[nodiscard]] auto write(std::span<const std::byte> bytes) noexcept {
        return begin<std::size_t>(detail::stream_operation::write, &detail::erased_stream::write, bytes);
    }
    /// Writes all of the bytes, as the stream below does.
    [[nodiscard]] auto write_all(std::span<const std::byte> bytes) noexcept {
        return begin<std::size_t>(detail::stream_operation::write_all, &detail::erased_stream::write_all,
                                  bytes);
    }
    [[nodiscard]] auto write_all(std::span<const_buffer> buffers) noexcept {
        return begin<std::size_t>(detail::stream_operation::write_buffers,
                                  &detail::erased_stream::write_buffers, buffers);
    }
    /// See byte_stream.
    [[nodiscard]] auto shutdown() noexcept {
        return begin<void>(detail::stream_operation::shutdown, &detail::erased_stream::shutdown, nullptr);
    }
    /// Closes the stream below.
    void close() { stream_->close(); }

    /// `co_await as_result(with_deadline(stream.read_leased(), deadline))`, at the cost that this has with
    /// the stream itself: nothing is allocated for connections, a job for streams whose operations are tasks.
    [[nodiscard]] auto read_leased_until(time_point deadline) noexcept {
        return begin<detail::outcome<buffer_lease>>(detail::stream_operation::timed,
                                                    &detail::erased_stream::read_leased_until, deadline);
    }
    /// The same with write(), which makes the deadline one of progress. Of several buffers, streams that
    /// cannot write some write all.
    [[nodiscard]] auto write_until(std::span<const std::byte> bytes, time_point deadline) noexcept {
        return begin<detail::outcome<std::size_t>>(detail::stream_operation::timed,
                                                   &detail::erased_stream::write_until, {bytes, deadline});
    }
    [[nodiscard]] auto write_until(std::span<const_buffer> buffers, time_point deadline) noexcept {
        return begin<detail::outcome<std::size_t>>(detail::stream_operation::timed,
                                                   &detail::erased_stream::write_buffers_until,
                                                   {buffers, deadline});
    }

    /// Closes so that the other end does not take it for an end in good order: a socket is reset. Streams
    /// without such a thing are closed.
    void abort() { stream_->abort(); }

    /// The ends of the connection that it holds, if it is TCP's and has not ended.
    [[nodiscard]] std::optional<endpoint> local_endpoint() const noexcept {
        return stream_->local_endpoint();
    }
    /// The endpoint of the peer, if the stream below has one.
    [[nodiscard]] std::optional<endpoint> remote_endpoint() const noexcept {
        return stream_->remote_endpoint();
    }

    /// Whether it holds a stream: not once it was moved from.
    [[nodiscard]] explicit operator bool() const noexcept { return stream_ != nullptr; }

    /// For copy() (stream/detail/splice_end.hpp): that of the stream that it holds, if it has one.
    [[nodiscard]] std::optional<detail::splice_end> splice_sink() const noexcept {
        return stream_->splice_sink();
    }

private:
    template <class Result, class Argument>
    detail::erased_operation<Result, Argument> begin(
        detail::stream_operation which,
        void (detail::erased_stream::*operation)(detail::stored_operation<Result>&, Argument),
        const std::type_identity_t<std::remove_cvref_t<Argument>>& argument) noexcept {
        return {*stream_, which, operation, argument};
    }

    std::unique_ptr<detail::erased_stream> stream_;
};

}  // namespace eddy
