#pragma once

#include "http/message/string_memory.hpp"

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/stream/any_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// A stream with bytes in front of its own: those that came behind the head of a request that takes its
/// connection over.
class prefixed_stream {
public:
    prefixed_stream(std::string front, any_stream behind) noexcept
        : front_(std::move(front)), behind_(std::move(behind)) {}

    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out) {
        const std::span<const std::byte> front = as_bytes(front_).subspan(taken_);
        if (front.empty())
            co_return co_await behind_.read(out);
        const std::size_t count = std::min(out.size(), front.size());
        std::memcpy(out.data(), front.data(), count);
        take(count);
        co_return count;
    }
    [[nodiscard]] task<buffer_lease> read_leased() {
        const std::span<const std::byte> front = as_bytes(front_).subspan(taken_);
        if (front.empty())
            co_return co_await behind_.read_leased();
        auto memory = std::make_unique_for_overwrite<std::byte[]>(front.size());
        std::memcpy(memory.get(), front.data(), front.size());
        const auto count = static_cast<std::uint32_t>(front.size());
        take(count);
        co_return buffer_lease(std::move(memory), 0, count);
    }
    [[nodiscard]] auto write(std::span<const std::byte> bytes) noexcept { return behind_.write(bytes); }
    [[nodiscard]] auto write_all(std::span<const std::byte> bytes) noexcept {
        return behind_.write_all(bytes);
    }
    [[nodiscard]] auto write_all(std::span<const_buffer> buffers) noexcept {
        return behind_.write_all(buffers);
    }
    [[nodiscard]] auto shutdown() noexcept { return behind_.shutdown(); }
    void close() { behind_.close(); }
    void abort() { behind_.abort(); }
    [[nodiscard]] std::optional<eddy::detail::splice_end> splice_sink() const noexcept {
        return behind_.splice_sink();
    }
    [[nodiscard]] std::optional<endpoint> local_endpoint() const noexcept { return behind_.local_endpoint(); }
    [[nodiscard]] std::optional<endpoint> remote_endpoint() const noexcept {
        return behind_.remote_endpoint();
    }

private:
    void take(std::size_t count) noexcept {
        taken_ += count;
        if (taken_ == front_.size()) {
            clear_keeping(front_, 0);
            taken_ = 0;
        }
    }

    std::string front_;
    std::size_t taken_ = 0;
    any_stream behind_;
};

}  // namespace eddy::http
