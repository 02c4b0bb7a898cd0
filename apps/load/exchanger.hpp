#pragma once

#include "load/load_result.hpp"

#include <eddy/core/task.hpp>

namespace eddy::apps {

/// One connection with one exchange after another; it is made with the first request, and anew after a
/// failure.
class exchanger {
public:
    virtual ~exchanger() = default;

    /// One request and its whole response, which is counted. Throws what has gone wrong.
    [[nodiscard]] virtual task<> exchange(load_result& counted) = 0;
    /// After an error: what is left of the connection goes.
    virtual void give_up() noexcept = 0;
};

}  // namespace eddy::apps
