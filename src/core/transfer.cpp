#include <eddy/core/detail/transfer.hpp>

namespace eddy::detail {

constinit thread_local std::coroutine_handle<> transferred;

}  // namespace eddy::detail
