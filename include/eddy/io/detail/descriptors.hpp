#pragma once

#include <eddy/detail/build.hpp>

#include <span>

namespace eddy::io {

/// The calls on descriptors that are no sockets' and never wait. Results as of operations: errors are negative
/// error numbers. What is opened here is made for the worker's backend, and closed by it.
///
/// Thread safety: belongs to the worker's thread.
class descriptors {
public:
    descriptors() = default;
    descriptors(const descriptors&) = delete;
    descriptors& operator=(const descriptors&) = delete;

    /// Opens a directory by its path, as a root for open_beneath.
    [[nodiscard]] virtual int open_directory(const char* path) noexcept = 0;
    /// A pipe's reading and writing end.
    [[nodiscard]] virtual int open_pipe(int& reading, int& writing) noexcept = 0;
    /// A descriptor that becomes readable when one of the signals arrives. They are blocked for this thread.
    [[nodiscard]] virtual int open_signals(std::span<const int> signals) noexcept = 0;
    /// Makes calls on a descriptor that `open` returned blocking, which opening it must not be.
    virtual void make_blocking(int descriptor) noexcept = 0;

protected:
    ~descriptors() = default;
};

}  // namespace eddy::io
