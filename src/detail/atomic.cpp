#include <eddy/detail/atomic.hpp>

#include <thread>

namespace eddy::detail {

void yield_processor() noexcept {
    std::this_thread::yield();
}

}  // namespace eddy::detail
