#include <eddy/io/detail/result.hpp>

namespace eddy::io {

void throw_error(std::int32_t result, const char* what) {
    throw std::system_error(error_of(result), what);
}

}  // namespace eddy::io
