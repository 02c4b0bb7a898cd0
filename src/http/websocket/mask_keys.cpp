#include "http/websocket/mask_keys.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <system_error>

namespace eddy::http {

websocket_mask_key next_mask_key() {
    static thread_local std::array<std::byte, 1024> supply;
    static thread_local std::size_t taken = supply.size();
    if (taken == supply.size()) {
        if (RAND_bytes(reinterpret_cast<unsigned char*>(supply.data()), static_cast<int>(supply.size())) != 1)
            throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                                    "random bytes for masking");
        taken = 0;
    }
    websocket_mask_key key;
    std::copy_n(supply.begin() + static_cast<std::ptrdiff_t>(taken), key.size(), key.begin());
    taken += key.size();
    return key;
}

}  // namespace eddy::http
