#include "pipeline/upstream_call.hpp"

#include "pipeline/upstream_client.hpp"

namespace eddy::apps {

awaited_call::~awaited_call() {
    if (waiting_)
        client_.forget(id_);
}

bool awaited_call::await_suspend(std::coroutine_handle<> point) {
    const auto begun = client_.begin(value_, *this);
    if (!begun) {
        result_ = std::unexpected(begun.error());
        return false;
    }
    id_ = *begun;
    waiting_ = point;
    return true;
}

void awaited_call::finish(upstream_result result) noexcept {
    result_ = std::move(result);
    std::exchange(waiting_, {}).resume();
}

}  // namespace eddy::apps
