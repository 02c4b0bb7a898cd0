#include "http/websocket/mask_keys.hpp"

#include <eddy/runtime/detail/current_system.hpp>

#include <algorithm>
#include <vector>

namespace eddy::http {

websocket_mask_key next_mask_key() {
    static thread_local std::vector<std::byte> supply(1024);
    static thread_local std::size_t taken = supply.size();
    if (taken == supply.size()) {
        eddy::detail::current_system().randomness->fill(supply);
        taken = 0;
    }
    websocket_mask_key key;
    std::copy_n(supply.begin() + static_cast<std::ptrdiff_t>(taken), key.size(), key.begin());
    taken += key.size();
    return key;
}

}  // namespace eddy::http
