#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/integrations/redis/options.hpp>

#include <exception>
#include <random>
#include <string>

namespace eddy::redis::detail {

/// How long nothing is tried after attempts that have failed: longer and longer.
class retry_pause {
public:
    explicit retry_pause(const options& wanted);

    [[nodiscard]] duration next();
    void reset() noexcept { length_ = first_; }

private:
    duration first_;
    duration max_;
    duration length_;
    std::minstd_rand random_;
};

/// Whether another attempt may succeed: not if the server has refused the credentials.
bool may_pass(const std::exception_ptr& failure) noexcept;

/// What an exception says.
std::string reason_of(const std::exception_ptr& failure);

}  // namespace eddy::redis::detail
