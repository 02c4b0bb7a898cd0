#include <eddy/core/frame_cache.hpp>
#include <eddy/runtime/spare_watch.hpp>

#include <algorithm>

namespace eddy::detail {

void spare_watch::look(time_point now) noexcept {
    static_cast<void>(spare_notice::take());
    spare_left most = frame_cache::give_back_some();
    keepers_.for_each([&](spare_keeper& each) { most = std::max(most, each.give_back_some()); });
    if (most != spare_left::little)
        spare_notice::give();
    next_look_ = most == spare_left::much ? now : now + interval;
}

}  // namespace eddy::detail
