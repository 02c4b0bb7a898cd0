#pragma once

#include <eddy/io/backend.hpp>

#include <utility>

namespace eddy::detail {

/// Closes a descriptor unless it is given on. Holds a negative error number where opening has failed.
class owned_descriptor {
public:
    owned_descriptor(io::backend& carrier, int descriptor) noexcept
        : carrier_(&carrier), descriptor_(descriptor) {}
    owned_descriptor(owned_descriptor&& other) noexcept
        : carrier_(other.carrier_), descriptor_(std::exchange(other.descriptor_, -1)) {}
    owned_descriptor& operator=(owned_descriptor&& other) noexcept {
        std::swap(carrier_, other.carrier_);
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~owned_descriptor() {
        if (descriptor_ >= 0)
            carrier_->close(descriptor_);
    }

    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] io::backend& carrier() const noexcept { return *carrier_; }
    /// Gives the descriptor to somebody else.
    int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    io::backend* carrier_;
    int descriptor_;
};

}  // namespace eddy::detail
