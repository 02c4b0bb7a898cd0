#include <eddy/stream/detail/descriptor_stream.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace eddy::detail {

void descriptor_stream::close_stream() noexcept {
    unread_ = {};
    end_ = -ECANCELED;
    if (reading != nullptr)
        backend().cancel(*reading);
    if (writing != nullptr)
        backend().cancel(*writing);
    close_descriptor();
}

std::int32_t descriptor_stream::answer_without_bytes() const noexcept {
    return end_ == still_open ? -ECANCELED : end_;
}

std::int32_t descriptor_stream::take_bytes(std::span<std::byte> out) noexcept {
    if (unread_.empty())
        return answer_without_bytes();
    const std::size_t count = std::min(out.size(), unread_.size());
    std::memcpy(out.data(), unread_.bytes().data(), count);
    skip(count);
    return static_cast<std::int32_t>(count);
}

void descriptor_stream::skip(std::size_t count) noexcept {
    unread_.remove_prefix(count);
    if (unread_.empty())
        unread_ = {};
}

void descriptor_stream::put_back(std::span<const std::byte> bytes) noexcept {
    const std::size_t size = bytes.size() + unread_.size();
    std::unique_ptr<std::byte[]> kept(new (std::nothrow) std::byte[size]);
    if (kept == nullptr) {
        end_ = -ENOMEM;  // bytes are missing from here on, and the reader gets an error
        return;
    }
    std::memcpy(kept.get(), bytes.data(), bytes.size());
    if (!unread_.empty())
        std::memcpy(kept.get() + bytes.size(), unread_.bytes().data(), unread_.size());
    unread_ = buffer_lease(std::move(kept), 0, static_cast<std::uint32_t>(size));
}

}  // namespace eddy::detail
