#pragma once

#include "openssl_handles.hpp"

#include <cstddef>
#include <list>
#include <mutex>
#include <string>

namespace eddy::detail {

/// The sessions that a client may resume, the newest of all targets.
///
/// Thread safety: any number of threads.
class session_cache {
public:
    explicit session_cache(std::size_t sessions_max) noexcept : sessions_max_(sessions_max) {}

    /// Throws std::bad_alloc.
    void add(const std::string& target, session_handle session);
    /// The newest one of a target, or null. One of TLS 1.3 is taken out, so that it does not reveal that two
    /// connections are from the same client (RFC 8446 appendix C.4).
    [[nodiscard]] session_handle take(const std::string& target) noexcept;

private:
    struct entry {
        std::string target;
        session_handle session;
    };

    std::mutex lock_;
    std::size_t sessions_max_;
    std::list<entry> entries_;  // the newest first
};

}  // namespace eddy::detail
