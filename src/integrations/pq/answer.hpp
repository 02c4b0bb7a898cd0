#pragma once

#include "native.hpp"
#include "session.hpp"

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/result.hpp>

namespace eddy::pq::detail {

/// Throws wrong_command if a COPY has begun; the exchange is then to be dropped.
void require_no_copy(const PGresult& answered);

/// Gathers what the server sends until it waits for the next command.
class answer {
public:
    /// Takes what has arrived; whether that was all. Throws wrong_command when a COPY begins.
    [[nodiscard]] bool take_arrived(session& from);
    /// The same when nothing more will arrive.
    void take_rest(session& from);
    /// The last result. Throws what the first error says, or connection_lost. Requires: it is complete.
    [[nodiscard]] native_result get(session& from);

private:
    [[nodiscard]] bool take_next(session& from);

    native_result last_;
    native_result refused_;
};

/// Sends what libpq holds back and waits for the whole answer.
[[nodiscard]] task<> gather(session& from, answer& into);

/// Runs a command within an exchange of its own. Requires: the session outlives the task.
[[nodiscard]] task<native_result> run_alone(session& on, const command& cmd);

[[nodiscard]] inline result shared(native_result owned) {
    return result(std::shared_ptr<const pg_result>(std::move(owned)));
}

}  // namespace eddy::pq::detail
