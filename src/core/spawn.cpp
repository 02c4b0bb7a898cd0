#include <eddy/core/spawn.hpp>

#include <exception>
#include <string>

namespace eddy::detail {

void uncaught_in_detached(const char* name, const std::exception_ptr& error) noexcept {
    const std::string who = name != nullptr ? name : "(unnamed)";
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& caught) {
        fatal("an exception left a detached task", (who + ": " + caught.what()).c_str());
    } catch (...) {
        fatal("an exception left a detached task", who.c_str());
    }
}

}  // namespace eddy::detail
