#include <eddy/runtime/detail/inbox.hpp>

namespace eddy::detail {

constinit inbox_item inbox::sleeping_mark_{nullptr};

}  // namespace eddy::detail
