#pragma once

#include <eddy/core/detail/frame_cache.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace eddy::rpc {

/// Takes the frames of messages out of a body (PROTOCOL-HTTP2.md, Length-Prefixed-Message): a byte that says whether the
/// message is compressed, its length in four, and the message.
///
/// Memory: that of the longest message so far, which no peer can make larger than the limit, and 4 KiB.
class message_parser {
public:
    explicit message_parser(std::size_t message_bytes_max) noexcept : message_bytes_max_(message_bytes_max) {}

    class frame {
    public:
        frame(bool is_compressed, std::span<const std::byte> message) noexcept
            : message_(message), is_compressed_(is_compressed) {}

        [[nodiscard]] bool is_compressed() const noexcept { return is_compressed_; }
        [[nodiscard]] std::span<const std::byte> message() const noexcept { return message_; }

    private:
        std::span<const std::byte> message_;
        bool is_compressed_;
    };

    /// The next frame that is complete, valid until room() is called. Throws rpc::error for one that is malformed or
    /// too large.
    [[nodiscard]] std::optional<frame> next();

    /// Where the bytes that follow go; not empty. Throws std::bad_alloc.
    [[nodiscard]] std::span<std::byte> room();
    /// So many were put there.
    void add(std::size_t bytes) noexcept { end_ += bytes; }

    /// Whether there is a part of a frame, so that this is not where a body may end.
    [[nodiscard]] bool is_within_frame() const noexcept { return begin_ != end_; }

private:
    void make_room();
    [[nodiscard]] std::size_t held() const noexcept { return end_ - begin_; }

    /// Through the cache of the thread's, as most parsers live as long as one small message.
    struct memory_deleter {
        std::size_t size;
        void operator()(std::byte* freed) const noexcept {
            eddy::detail::frame_cache::deallocate(freed, size);
        }
    };

    std::unique_ptr<std::byte, memory_deleter> memory_{nullptr, memory_deleter{0}};
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t wanted_ = 0;  // bytes of the frame that is not complete
    std::size_t message_bytes_max_;
};

}  // namespace eddy::rpc
