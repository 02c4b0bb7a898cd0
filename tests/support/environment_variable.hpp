#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace eddy::test {

/// Sets a variable of the environment, or unsets it by null, for as long as it lives. Requires: no other
/// thread reads one.
class environment_variable {
public:
    environment_variable(const char* name, const char* value) : name_(name) {
        if (const char* const found = std::getenv(name))
            before_ = found;
        set(value);
    }
    environment_variable(const environment_variable&) = delete;
    environment_variable& operator=(const environment_variable&) = delete;
    ~environment_variable() { set(before_ ? before_->c_str() : nullptr); }

private:
    void set(const char* value) const {
        if (value != nullptr)
            ::setenv(name_, value, 1);
        else
            ::unsetenv(name_);
    }

    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace eddy::test
