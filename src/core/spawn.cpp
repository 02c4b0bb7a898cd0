#include "detail/exception_text.hpp"

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/task_origin.hpp>
#include <eddy/core/spawn.hpp>

#include <exception>
#include <string>
#include <string_view>

namespace eddy::detail {

std::string described(const task_origin& origin, std::string_view what) {
    std::string text = origin.name() != nullptr ? origin.name() : "(unnamed)";
    text.append(": ").append(what);
    if (origin.where().line() != 0)
        text.append(" (spawned at ")
            .append(origin.where().file_name())
            .append(":")
            .append(std::to_string(origin.where().line()))
            .append(")");
    return text;
}

void uncaught_in_detached(const task_origin& origin, const std::exception_ptr& error) noexcept {
    fatal("an exception left a detached task", described(origin, exception_text(error)).c_str());
}

void destructor_threw(const job* of) noexcept {
    if (const resume_loop* const loop = resume_loop::current_or_null(); of == nullptr && loop != nullptr)
        of = loop->running();
    const task_origin origin = of != nullptr ? of->origin() : task_origin(nullptr, {});
    fatal("a destructor of a task threw",
          described(origin, exception_text(std::current_exception())).c_str());
}

}  // namespace eddy::detail
