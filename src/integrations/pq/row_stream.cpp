#include "answer.hpp"
#include "session.hpp"

#include <eddy/integrations/pq/detail/row_stream.hpp>
#include <eddy/net/readiness.hpp>

#include <utility>

namespace eddy::pq::detail {

class row_stream::state {
public:
    explicit state(std::shared_ptr<session> used) noexcept : on(std::move(used)), running(*on) {}

    std::shared_ptr<session> on;
    exchange running;
    native_result current;
    native_result refused;
    bool is_lost = false;
};

row_stream::row_stream(std::unique_ptr<state> begun) noexcept : state_(std::move(begun)) {}
row_stream::row_stream(row_stream&& other) noexcept = default;
row_stream::~row_stream() = default;

task<row_stream> row_stream::begin(std::shared_ptr<session> on, command cmd) {
    if (!on->is_idle())
        co_await on->become_idle();
    auto begun = std::make_unique<state>(on);
    on->send(cmd);
    if (PQsetSingleRowMode(on->native()) == 0)
        on->throw_failed(errc::connection_lost);
    co_await on->flush();
    co_return row_stream(std::move(begun));
}

bool row_stream::try_next() {
    session& on = *state_->on;
    while (state_->is_lost || on.has_result()) {
        native_result next(PQgetResult(on.native()));
        if (next == nullptr) {
            end();
            return true;
        }
        if (PQresultStatus(next.get()) == PGRES_SINGLE_TUPLE) {
            current_ = next.get();
            state_->current = std::move(next);
            return true;
        }
        require_no_copy(*next);
        if (state_->refused == nullptr && is_error(*next))
            state_->refused = std::move(next);
    }
    return false;
}

task<> row_stream::next() {
    session& on = *state_->on;
    do {
        co_await readable(on.descriptor());
        state_->is_lost = !on.take_arrived();
    } while (!try_next());
}

void row_stream::end() {
    session& on = *state_->on;
    current_ = nullptr;
    state_->current = nullptr;
    state_->running.finish();
    if (state_->refused != nullptr)
        on.throw_refused(*state_->refused);
    if (state_->is_lost) {
        on.look_at_status();
        on.throw_lost();
    }
}

}  // namespace eddy::pq::detail
