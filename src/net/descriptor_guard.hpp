#pragma once

#include <eddy/io/backend.hpp>

#include <utility>

namespace eddy {

/// Closes a descriptor unless it is given on.
class descriptor_guard {
 public:
    descriptor_guard(io::backend& carrier, int descriptor) noexcept
        : carrier_(carrier), descriptor_(descriptor) {}
    descriptor_guard(const descriptor_guard&) = delete;
    descriptor_guard& operator=(const descriptor_guard&) = delete;
    ~descriptor_guard() {
        if (descriptor_ >= 0)
            carrier_.close(descriptor_);
    }

    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

 private:
    io::backend& carrier_;
    int descriptor_;
};

}  // namespace eddy
