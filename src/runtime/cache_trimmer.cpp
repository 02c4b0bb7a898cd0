#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/runtime/detail/cache_trimmer.hpp>

#include <algorithm>

namespace eddy::detail {

void cache_trimmer::look(time_point now) noexcept {
    static_cast<void>(trim_request::take());
    trim_rest most = frame_cache::trim_some();
    keepers_.for_each([&](trimmable_cache& each) { most = std::max(most, each.trim_some()); });
    if (most != trim_rest::little)
        trim_request::give();
    next_look_ = most == trim_rest::much ? now : now + interval;
}

}  // namespace eddy::detail
