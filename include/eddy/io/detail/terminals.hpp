#pragma once

#include <eddy/detail/build.hpp>

namespace eddy::io {

/// The terminals that descriptors lead to. Results: errors are negative error numbers.
///
/// Thread safety: any thread; it outlives the runtime.
class terminals {
public:
    terminals() = default;
    terminals(const terminals&) = delete;
    terminals& operator=(const terminals&) = delete;

    [[nodiscard]] virtual bool is_terminal(int descriptor) noexcept = 0;
    /// ENOTTY.
    [[nodiscard]] virtual int size(int descriptor, unsigned& columns, unsigned& rows) noexcept = 0;
    /// Opens the terminal behind a descriptor once more, in non-blocking mode, which is the new descriptor's
    /// own: others that share the old one see nothing of it. Never waits.
    [[nodiscard]] virtual int reopen(int descriptor, bool is_writing) noexcept = 0;
    /// Makes the terminal deliver each byte as it comes, without echo, editing or signals. The former
    /// settings are restored by leave_raw_mode(), when the program ends by exit(), and when an unhandled
    /// signal ends it. EBUSY if it is in raw mode already, or too many are.
    [[nodiscard]] virtual int enter_raw_mode(int descriptor) noexcept = 0;
    virtual void leave_raw_mode(int descriptor) noexcept = 0;

protected:
    ~terminals() = default;
};

}  // namespace eddy::io
