#pragma once

#include <eddy/io/detail/file_system.hpp>

#include <utility>

namespace eddy::detail {

/// A descriptor that a call on the offload pool uses and owns, so that dropping the task that awaits the call
/// need not wait for it: the file may be closed meanwhile, and its number reused.
///
/// Thread safety: may move to any thread.
class pooled_descriptor {
public:
    /// Holds a negative error number where opening has failed.
    pooled_descriptor(io::file_system& files, int descriptor) noexcept
        : files_(&files), descriptor_(descriptor) {}
    pooled_descriptor(pooled_descriptor&& other) noexcept
        : files_(other.files_), descriptor_(std::exchange(other.descriptor_, -1)) {}
    pooled_descriptor& operator=(pooled_descriptor&& other) noexcept {
        std::swap(files_, other.files_);
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~pooled_descriptor() {
        if (descriptor_ >= 0)
            files_->close(descriptor_);
    }

    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] io::file_system& files() const noexcept { return *files_; }
    int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    io::file_system* files_;
    int descriptor_;
};

}  // namespace eddy::detail
