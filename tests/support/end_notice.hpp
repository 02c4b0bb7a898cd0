#pragma once

#include <eddy/sync/event.hpp>

namespace eddy::test {

/// Sets an event when it is destroyed: when the coroutine that has it ends or is dropped.
class end_notice {
public:
    explicit end_notice(event<>& ended) noexcept : ended_(ended) {}
    end_notice(const end_notice&) = delete;
    end_notice& operator=(const end_notice&) = delete;
    ~end_notice() { ended_.set(); }

private:
    event<>& ended_;
};

}  // namespace eddy::test
