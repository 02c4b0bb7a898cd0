#pragma once

#include <eddy/io/detail/backend.hpp>

#include <utility>

namespace eddy::detail {

/// Closes a descriptor unless it is released. Holds a negative error number where opening has failed.
class owned_descriptor {
public:
    owned_descriptor(io::backend& backend, int descriptor) noexcept
        : backend_(&backend), descriptor_(descriptor) {}
    owned_descriptor(owned_descriptor&& other) noexcept
        : backend_(other.backend_), descriptor_(std::exchange(other.descriptor_, -1)) {}
    owned_descriptor& operator=(owned_descriptor&& other) noexcept {
        std::swap(backend_, other.backend_);
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~owned_descriptor() {
        if (descriptor_ >= 0)
            backend_->close(descriptor_);
    }

    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] io::backend& backend() const noexcept { return *backend_; }
    /// Releases the descriptor to the caller.
    int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    io::backend* backend_;
    int descriptor_;
};

}  // namespace eddy::detail
