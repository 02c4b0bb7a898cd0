#include "answer.hpp"

#include <eddy/net/readiness.hpp>

#include <utility>

namespace eddy::pq::detail {

void require_no_copy(const PGresult& answered) {
    const auto status = PQresultStatus(&answered);
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH)
        throw error(errc::wrong_command, "a COPY is run by copy_in() or copy_out()");
}

bool answer::take_next(session& from) {
    native_result next(PQgetResult(from.native()));
    if (next == nullptr)
        return false;
    require_no_copy(*next);
    if (!is_error(*next))
        last_ = std::move(next);
    else if (refused_ == nullptr)
        refused_ = std::move(next);
    return true;
}

bool answer::take_arrived(session& from) {
    while (from.has_result()) {
        if (!take_next(from))
            return true;
    }
    return false;
}

void answer::take_rest(session& from) {
    while (take_next(from)) {
    }
}

native_result answer::get(session& from) {
    if (refused_ != nullptr)
        from.throw_refused(*refused_);
    from.look_at_status();
    if (from.is_closed())
        from.throw_lost();
    return std::move(last_);
}

task<> gather(session& from, answer& into) {
    co_await from.flush();
    while (!into.take_arrived(from)) {
        co_await readable(from.descriptor());
        if (!from.take_arrived()) {
            into.take_rest(from);
            co_return;
        }
    }
}

task<native_result> run_alone(session& on, const command& cmd) {
    if (!on.is_idle())
        co_await on.become_idle();
    exchange running(on);
    on.send(cmd);
    answer taken;
    if (PQflush(on.native()) != 0)
        co_await on.flush();
    while (!taken.take_arrived(on)) {
        co_await readable(on.descriptor());
        if (!on.take_arrived()) {
            taken.take_rest(on);
            break;
        }
    }
    running.finish();
    co_return taken.get(on);
}

}  // namespace eddy::pq::detail
