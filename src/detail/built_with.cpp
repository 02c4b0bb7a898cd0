#include <eddy/detail/build.hpp>

namespace eddy::detail {

template <>
const bool built_with<standard_library_used, sanitizer_used>::is_so = true;

}  // namespace eddy::detail
