#include <eddy/base/spare_memory.hpp>

namespace eddy::detail {

constinit thread_local bool spare_notice::is_given_ = false;

}  // namespace eddy::detail
