#include "base/exception_text.hpp"

#include <eddy/core/spawn.hpp>

#include <exception>
#include <string>

namespace eddy::detail {

void uncaught_in_detached(const char* name, const std::exception_ptr& error) noexcept {
    const std::string who = name != nullptr ? name : "(unnamed)";
    fatal("an exception left a detached task", (who + ": " + exception_text(error)).c_str());
}

}  // namespace eddy::detail
