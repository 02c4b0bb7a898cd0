#include "stream/descriptor_read.hpp"

#include <eddy/os/detail/polled_stream.hpp>

#include <cerrno>

namespace eddy::detail {

std::int32_t polled_stream::take_bytes(std::span<std::byte> out) noexcept {
    const std::int32_t taken = descriptor_stream::take_bytes(out);
    if (taken <= 0 && is_open())
        end_ = still_open;
    return taken;
}

std::unique_ptr<polled_stream> make_polled_stream(int descriptor) {
    worker_core& home = worker_core::current();
    return std::make_unique<polled_stream>(home, owned_descriptor(home.backend(), descriptor));
}

template class descriptor_read<polled_stream>;

}  // namespace eddy::detail
