#pragma once

#include <eddy/io/detail/backend.hpp>

#include <cerrno>

namespace eddy::backends {

/// How descriptors are opened for a backend; or for none, by threads that have no worker.
class opening {
public:
    /// `flags`: SOCK_NONBLOCK for backends that work by readiness, 0 for others.
    explicit opening(int flags, io::backend* user) noexcept : flags_(flags), user_(user) {}

    [[nodiscard]] int flags() const noexcept { return flags_; }

    /// The result of a call that takes descriptors or names. One that fails for want of them is made again
    /// once what was closed is closed.
    template <class Call>
    [[nodiscard]] int after_closing(Call call) const noexcept {
        const int result = call();
        if (result != -EMFILE && result != -ENFILE && result != -EADDRINUSE) [[likely]]
            return result;
        if (user_ == nullptr)
            return result;
        user_->finish_closing();
        return call();
    }

private:
    int flags_;
    io::backend* user_;
};

}  // namespace eddy::backends
