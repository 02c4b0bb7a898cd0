#include <eddy/detail/allocation_window.hpp>

namespace eddy::detail {

constinit thread_local allocation_window::state allocation_window::state_;
constinit bool allocation_window::is_new_replaced_ = false;

}  // namespace eddy::detail
