#pragma once

#include <eddy/detail/build.hpp>

#include <utility>

namespace eddy::io {

/// Owns a descriptor that no backend uses yet, for example one opened on a thread of the offload pool. Any
/// thread may close it.
class plain_descriptor {
public:
    /// None, or a descriptor that it takes over and closes.
    plain_descriptor() noexcept = default;
    explicit plain_descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
    plain_descriptor(plain_descriptor&& other) noexcept : descriptor_(other.release()) {}
    plain_descriptor& operator=(plain_descriptor&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~plain_descriptor();

    /// Negative: an error number, or none.
    [[nodiscard]] int get() const noexcept { return descriptor_; }
    /// Releases the descriptor, which is the caller's then; -1 if there is none.
    int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    int descriptor_ = -1;
};

}  // namespace eddy::io
