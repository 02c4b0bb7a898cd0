#include "fs/file_error.hpp"

#include <string>
#include <system_error>

namespace eddy::detail {

void throw_file_error(std::int64_t result, const char* what, const file_path& path) {
    throw std::system_error(static_cast<int>(-result), std::system_category(),
                            std::string("cannot ") + what + " '" + path.text() + "'");
}

}  // namespace eddy::detail
