#pragma once

#include <eddy/detail/build.hpp>

#include <source_location>
#include <string>
#include <string_view>

namespace eddy::detail {

/// What messages say of a task: its name, or null, and where it was spawned.
class task_origin {
public:
    task_origin(const char* name, std::source_location where) noexcept : name_(name), where_(where) {}

    [[nodiscard]] const char* name() const noexcept { return name_; }
    [[nodiscard]] const std::source_location& where() const noexcept { return where_; }

private:
    const char* name_;
    std::source_location where_;
};

/// "name: what (spawned at file:line)".
[[nodiscard]] std::string described(const task_origin& origin, std::string_view what);

}  // namespace eddy::detail
