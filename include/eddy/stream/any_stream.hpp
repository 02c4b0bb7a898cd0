#pragma once

#include <eddy/core/suspension.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/stored_operation.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// A stream behind virtual functions. Each begins an operation in the room that it is given.
class erased_stream {
public:
    virtual ~erased_stream() = default;

    virtual void read(stored_operation<std::size_t>& place, std::span<std::byte> out) = 0;
    virtual void write(stored_operation<std::size_t>& place, std::span<const std::byte> bytes) = 0;
    virtual void write_all(stored_operation<std::size_t>& place, std::span<const std::byte> bytes) = 0;
    virtual void write_buffers(stored_operation<std::size_t>& place, std::span<const_buffer> buffers) = 0;
    virtual void shutdown(stored_operation<void>& place, std::nullptr_t) = 0;
    virtual void close() = 0;
};

template <byte_stream Stream>
class erased_stream_of final : public erased_stream {
public:
    explicit erased_stream_of(Stream stream) : stream_(std::move(stream)) {}

    void read(stored_operation<std::size_t>& place, std::span<std::byte> out) override {
        place.emplace([&] { return stream_.read(out); });
    }
    void write(stored_operation<std::size_t>& place, std::span<const std::byte> bytes) override {
        place.emplace([&] { return stream_.write(bytes); });
    }
    void write_all(stored_operation<std::size_t>& place, std::span<const std::byte> bytes) override {
        place.emplace([&] { return stream_.write_all(bytes); });
    }
    void write_buffers(stored_operation<std::size_t>& place, std::span<const_buffer> buffers) override {
        place.emplace([&] { return stream_.write_all(buffers); });
    }
    void shutdown(stored_operation<void>& place, std::nullptr_t) override {
        place.emplace([&] { return stream_.shutdown(); });
    }
    void close() override { stream_.close(); }

private:
    Stream stream_;
};

/// Awaits an operation of a stream whose type is not known. It is begun where it is awaited.
template <class Result, class Argument>
class [[nodiscard]] erased_operation {
public:
    using beginning = void (erased_stream::*)(stored_operation<Result>&, Argument);

    erased_operation(erased_stream& stream, beginning begin, Argument argument) noexcept
        : stream_(stream), begin_(begin), argument_(argument) {}
    /// Requires: it has not been awaited yet.
    erased_operation(erased_operation&& other) noexcept
        : stream_(other.stream_), begin_(other.begin_), argument_(other.argument_) {}
    erased_operation& operator=(erased_operation&&) = delete;
    ~erased_operation() = default;

    bool await_ready() {
        (stream_.*begin_)(operation_, argument_);
        return operation_.await_ready();
    }
    transfer await_suspend(suspension point) { return operation_.await_suspend(point); }
    Result await_resume() { return operation_.await_resume(); }

private:
    erased_stream& stream_;
    beginning begin_;
    Argument argument_;
    stored_operation<Result> operation_;
};

}  // namespace detail

/// A byte_stream of any type: for code that should not be a template, and for streams whose type is chosen at
/// run time.
///
/// - Ownership: owns the stream; moves, does not copy. Requires: one that was moved from is assigned to or
///   destroyed only.
/// - Thread safety, cancellation and errors: those of the stream that it holds.
/// - Cost: one allocation when it is made. An operation costs a virtual call, and no allocation that the
///   stream's own does not cost: it lies in the awaiter, which is larger for it (320 bytes).
class any_stream {
public:
    template <class Stream>
        requires(byte_stream<Stream> && !std::same_as<Stream, any_stream>)
    explicit any_stream(Stream stream)
        : stream_(std::make_unique<detail::erased_stream_of<Stream>>(std::move(stream))) {}

    /// See byte_source.
    [[nodiscard]] auto read(std::span<std::byte> out) noexcept {
        return begin<std::size_t>(&detail::erased_stream::read, out);
    }
    /// See byte_sink.
    [[nodiscard]] auto write(std::span<const std::byte> bytes) noexcept {
        return begin<std::size_t>(&detail::erased_stream::write, bytes);
    }
    [[nodiscard]] auto write_all(std::span<const std::byte> bytes) noexcept {
        return begin<std::size_t>(&detail::erased_stream::write_all, bytes);
    }
    [[nodiscard]] auto write_all(std::span<const_buffer> buffers) noexcept {
        return begin<std::size_t>(&detail::erased_stream::write_buffers, buffers);
    }
    /// See byte_stream.
    [[nodiscard]] auto shutdown() noexcept { return begin<void>(&detail::erased_stream::shutdown, nullptr); }
    void close() { stream_->close(); }

private:
    template <class Result, class Argument>
    detail::erased_operation<Result, Argument> begin(
        void (detail::erased_stream::*operation)(detail::stored_operation<Result>&, Argument),
        std::type_identity_t<Argument> argument) noexcept {
        return {*stream_, operation, argument};
    }

    std::unique_ptr<detail::erased_stream> stream_;
};

}  // namespace eddy
