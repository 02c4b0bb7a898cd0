#include "session_cache.hpp"

#include <algorithm>
#include <utility>

namespace eddy::detail {

void session_cache::add(const std::string& target, session_handle session) {
    // Made outside of the lock; what is dropped is freed there, too.
    std::list<entry> added;
    std::list<entry> dropped;
    added.push_back({target, std::move(session)});
    const std::scoped_lock lock(lock_);
    entries_.splice(entries_.begin(), added);
    if (entries_.size() > sessions_max_)
        dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
}

session_handle session_cache::take(const std::string& target) noexcept {
    std::list<entry> taken;
    const std::scoped_lock lock(lock_);
    const auto at = std::ranges::find_if(entries_, [&](const entry& each) { return each.target == target; });
    if (at == entries_.end())
        return nullptr;
    if (SSL_SESSION_get_protocol_version(at->session.get()) == TLS1_3_VERSION) {
        taken.splice(taken.begin(), entries_, at);
        return std::move(taken.front().session);
    }
    SSL_SESSION_up_ref(at->session.get());
    return session_handle(at->session.get());
}

}  // namespace eddy::detail
