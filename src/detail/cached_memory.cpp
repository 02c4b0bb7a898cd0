#include <eddy/detail/cached_memory.hpp>

namespace eddy::detail {

constinit thread_local bool trim_request::is_given_ = false;

}  // namespace eddy::detail
