#include <eddy/core/transfer.hpp>

namespace eddy::detail {

#if !EDDY_SYMMETRIC_TRANSFER
constinit thread_local std::coroutine_handle<> transferred;
#endif

}  // namespace eddy::detail
