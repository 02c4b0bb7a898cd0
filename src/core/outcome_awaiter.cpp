#include <eddy/core/detail/outcome_awaiter.hpp>

namespace eddy::detail {

void throw_outcome(std::error_code error, const char* what) {
    throw std::system_error(error, what);
}

}  // namespace eddy::detail
