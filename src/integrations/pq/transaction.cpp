#include "answer.hpp"
#include "session.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/integrations/pq/transaction.hpp>

#include <string_view>
#include <utility>

namespace eddy::pq {

namespace detail {
[[nodiscard]] task<result> run(std::shared_ptr<session> on, command cmd);
}  // namespace detail

transaction::~transaction() {
    if (session_ != nullptr)
        session_->recover_later(true);
}

task<result> transaction::run(command cmd) {
    EDDY_ASSERT(is_open(), "a command of a transaction that has ended");
    return detail::run(session_, std::move(cmd));
}

// While it is awaited the transaction stays in charge: dropped, it rolls back what was not committed.
task<> transaction::commit() {
    EDDY_ASSERT(is_open(), "a transaction ends once");
    const command cmd("commit");
    const detail::native_result done = co_await detail::run_alone(*session_, cmd);
    session_.reset();
    // The server's word for a transaction in which something had failed.
    if (done != nullptr && std::string_view(PQcmdStatus(done.get())) == "ROLLBACK") {
        server_fields fields;
        fields.severity = "ERROR";
        fields.sqlstate = "25P02";
        fields.message = "the transaction was rolled back, as a command of it had failed";
        throw error(errc::server_error, std::move(fields));
    }
}

task<> transaction::rollback() {
    EDDY_ASSERT(is_open(), "a transaction ends once");
    const command cmd("rollback");
    co_await detail::run_alone(*session_, cmd);
    session_.reset();
}

}  // namespace eddy::pq
