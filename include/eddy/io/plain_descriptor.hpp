#pragma once

#include <utility>

namespace eddy::io {

/// Owns a descriptor that no backend knows yet, as a thread of the offload pool has opened it. Any thread may
/// close it.
class plain_descriptor {
public:
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
    int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    int descriptor_ = -1;
};

/// Another descriptor for what a descriptor leads to, none of the standard streams' places. Negative: an
/// error number. Never waits.
[[nodiscard]] plain_descriptor duplicate(int descriptor) noexcept;

/// Opens one end of a named pipe without waiting for the other. Negative: -ENXIO for the writing end if
/// nobody reads, -EINVAL if the path leads to something else. Looks at the file system, so not on a worker.
[[nodiscard]] plain_descriptor open_named_pipe(const char* path, bool is_writing) noexcept;

/// Makes a named pipe with these mode bits, less the process's mask. 0, or an error number.
[[nodiscard]] int make_named_pipe(const char* path, unsigned mode) noexcept;

}  // namespace eddy::io
