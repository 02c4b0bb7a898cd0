#pragma once

#include <eddy/io/detail/awaited_readiness.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace eddy::detail {

/// The descriptor behind a stream, for the system to move bytes from or to.
class splice_end {
public:
    /// `slot`: where the stream notes what is under way on it, for its close() to end; null if it does not.
    splice_end(io::backend& backend, int descriptor, io::operation** slot) noexcept
        : backend_(&backend), descriptor_(descriptor), slot_(slot) {}
    /// A file's, which starts at the position and advances it.
    splice_end(io::backend& backend, int descriptor, std::uint64_t& position) noexcept
        : backend_(&backend), descriptor_(descriptor), position_(&position) {}

    [[nodiscard]] io::backend& backend() const noexcept { return *backend_; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] std::uint64_t offset() const noexcept {
        return position_ != nullptr ? *position_ : io::splice_operation::no_offset;
    }
    void move_on(std::uint64_t count) const noexcept {
        if (position_ != nullptr)
            *position_ += count;
    }
    /// The stream outlives it.
    [[nodiscard]] awaited_readiness writable() const noexcept {
        return {*backend_, io::opcode::await_writable, descriptor_, slot_};
    }
    void begin(io::operation& under_way) const noexcept {
        if (slot_ == nullptr)
            return;
        EDDY_ASSERT(*slot_ == nullptr, "one read and one write at a time on a stream");
        *slot_ = &under_way;
    }
    void end() const noexcept {
        if (slot_ != nullptr)
            *slot_ = nullptr;
    }

private:
    io::backend* backend_;
    int descriptor_;
    io::operation** slot_ = nullptr;
    std::uint64_t* position_ = nullptr;
};

/// A source over a descriptor. It returns no end while bytes wait in the stream itself, or come into buffers:
/// they must be read first.
template <class T>
concept spliceable_source = byte_source<T> && requires(T& source) {
    { source.splice_source() } -> std::same_as<std::optional<splice_end>>;
};

/// A sink over a descriptor, which can also be written to. It returns no end once it is closed.
template <class T>
concept spliceable_sink = requires(T& sink, std::span<const std::byte> bytes) {
    { sink.splice_sink() } -> std::same_as<std::optional<splice_end>>;
    { sink.write_all(bytes) } -> awaitable_of<std::size_t>;
};

}  // namespace eddy::detail
