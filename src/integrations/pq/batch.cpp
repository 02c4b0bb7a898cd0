#include "answer.hpp"
#include "session.hpp"

#include <eddy/integrations/pq/batch.hpp>
#include <eddy/integrations/pq/connection.hpp>
#include <eddy/net/readiness.hpp>

#include <memory>
#include <utility>

namespace eddy::pq {

namespace {

using detail::native_result;
using detail::session;

/// Assigns the results of a pipeline to its commands. Between two commands PQgetResult() returns null once;
/// each part of the pipeline ends with a sync result.
class batch_answers {
public:
    batch_answers(session& from, std::size_t commands, bool is_atomic)
        : from_(from), syncs_left_(is_atomic ? 1 : commands) {
        outcomes_.reserve(commands);
    }

    /// Takes what has arrived; whether that was all.
    [[nodiscard]] bool take_arrived() {
        while (syncs_left_ > 0 && from_.has_result())
            take(native_result(PQgetResult(from_.native())));
        return syncs_left_ == 0;
    }
    [[nodiscard]] std::vector<batch_outcome> take() noexcept { return std::move(outcomes_); }

private:
    void take(native_result answered) {
        if (answered == nullptr) {
            if (current_ != nullptr)
                outcomes_.push_back(outcome_of(std::move(current_)));
            return;
        }
        if (PQresultStatus(answered.get()) == PGRES_PIPELINE_SYNC) {
            from_.note_sync();
            --syncs_left_;
            return;
        }
        detail::require_no_copy(*answered);
        if (current_ == nullptr)
            current_ = std::move(answered);
    }
    static batch_outcome outcome_of(native_result answered) {
        if (!detail::is_error(*answered))
            return detail::shared(std::move(answered));
        if (PQresultStatus(answered.get()) == PGRES_PIPELINE_ABORTED)
            return std::unexpected(error(errc::server_error, "not run, as a command before it had failed"));
        return std::unexpected(error(errc::server_error, detail::fields_of(*answered)));
    }

    session& from_;
    std::size_t syncs_left_;
    native_result current_;
    std::vector<batch_outcome> outcomes_;
};

/// Sends as much as the socket takes and takes what arrives, by turns, so that neither side waits for the
/// other with its buffers full.
task<> answer_all(session& on, batch_answers& answers) {
    co_await on.flush();
    while (!answers.take_arrived()) {
        co_await readable(on.descriptor());
        if (!on.take_arrived())
            on.throw_failed(errc::connection_lost);
    }
}

task<std::vector<batch_outcome>> run_batch(std::shared_ptr<session> on, batch commands) {
    if (!on->is_idle())
        co_await on->become_idle();
    detail::exchange running(*on);
    if (PQenterPipelineMode(on->native()) == 0)
        on->throw_failed(errc::connection_lost);
    for (const command& each : commands.commands()) {
        on->send(each);
        if (!commands.is_atomic())
            on->sync_pipeline();
    }
    if (commands.is_atomic())
        on->sync_pipeline();
    batch_answers answers(*on, commands.size(), commands.is_atomic());
    co_await answer_all(*on, answers);
    if (PQexitPipelineMode(on->native()) == 0)
        on->throw_failed(errc::connection_lost);
    running.finish();
    co_return answers.take();
}

}  // namespace

task<std::vector<batch_outcome>> connection::run(batch commands) {
    return run_batch(session_, std::move(commands));
}

}  // namespace eddy::pq
