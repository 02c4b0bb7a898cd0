#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/integrations/pq/batch.hpp>
#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/connection_options.hpp>
#include <eddy/integrations/pq/copy_reader.hpp>
#include <eddy/integrations/pq/copy_writer.hpp>
#include <eddy/integrations/pq/detail/row_stream.hpp>
#include <eddy/integrations/pq/result.hpp>
#include <eddy/integrations/pq/transaction.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace eddy::pq {

/// What NOTIFY has sent.
struct notification {
    /// The channel of LISTEN.
    std::string channel;
    /// What NOTIFY has sent.
    std::string payload;
    int process_id = 0;  ///< of the session that sent it
};

namespace detail {
class session;
class pool_state;
[[nodiscard]] task<result> run(std::shared_ptr<session> on, command cmd);
}  // namespace detail

/// A connection to a PostgreSQL server through libpq, which never makes the worker wait.
///
///     auto database = co_await pq::connection::connect(pq::connection_options("postgresql:///shop"));
///     auto rows = co_await database.query("select id, name from item where price < $1", 100);
///     for (auto& [id, name] : rows.as<std::tuple<int, std::string>>())
///
/// - Ownership: moves, does not copy. It need not outlive its results, generators and transactions, which
///   hold what they need.
/// - One task at a time uses it; a call that returns a generator, a transaction, a reader or a writer
///   occupies it until that is destroyed (a transaction: for all but its own commands).
/// - Cancellation: dropping any wait on it ends the command by a cancel request, which is sent in the
///   background of the worker and repeated until the command has ended; the next use of the connection waits
///   for that. To the server an open transaction() has failed then. A connection that cannot be recovered
///   within recovery_timeout is closed.
/// - Destroying it closes the connection; a command that was dropped before is cancelled first, in the
///   background, unless the runtime ends before. close() waits for that.
/// - Errors: pq::error. After connection_lost every call throws that, and a new connection is needed.
/// - Thread safety: none; it belongs to the worker on which it was made.
class connection {
public:
    /// Connects. Throws pq::error: invalid_argument, connect_failed, connect_timed_out. Names are looked up
    /// by resolve(), so the worker does not wait for DNS; a host that only a service file names is left to
    /// libpq, which waits. Dropped: nothing is left of it. Requires: awaited on a worker.
    [[nodiscard]] static task<connection> connect(connection_options options);

    connection(connection&& other) noexcept = default;
    connection& operator=(connection&& other) noexcept = default;
    ~connection();

    /// Runs one command and returns its whole result. $1, $2 ... stand for the parameters, which are copied
    /// before this returns.
    template <class... Values>
    [[nodiscard]] task<result> query(std::string sql, const Values&... values) {
        return run(command(std::move(sql), values...));
    }
    template <class... Values>
    [[nodiscard]] task<result> query(const prepared& statement, const Values&... values) {
        return run(command(statement, values...));
    }
    [[nodiscard]] task<result> run(command cmd) { return detail::run(session_, std::move(cmd)); }

    /// Runs several commands, separated by semicolons, without parameters, in one transaction unless they
    /// specify otherwise. Returns the result of the last.
    [[nodiscard]] task<result> execute(std::string script);

    /// Has the server plan a command once. The same SQL is prepared once a connection, so this may be called
    /// before every use.
    [[nodiscard]] task<prepared> prepare(std::string sql);

    /// Runs a command and yields its rows one by one, each as a T (row_type), in constant memory: rows that
    /// are not awaited stay with the server. `auto rows = database.stream<item>("select * from item");` It
    /// begins with the first next().
    template <row_type T, class... Values>
    [[nodiscard]] async_generator<T> stream(std::string sql, const Values&... values) {
        return detail::stream_rows<T>(session_, command(std::move(sql), values...));
    }
    template <row_type T, class... Values>
    [[nodiscard]] async_generator<T> stream(const prepared& statement, const Values&... values) {
        return detail::stream_rows<T>(session_, command(statement, values...));
    }

    /// Sends all commands before the first result has come (libpq's pipeline mode). Returns an outcome for
    /// each, in order.
    [[nodiscard]] task<std::vector<batch_outcome>> run(batch commands);

    /// Begins a transaction, which rolls back when it is dropped.
    [[nodiscard]] task<transaction> begin(transaction_options options = {});

    /// `COPY ... FROM STDIN`: a sink for the bytes, or rows. Throws wrong_command for another command.
    [[nodiscard]] task<copy_writer> copy_in(std::string sql);
    /// `COPY ... TO STDOUT`: a source of bytes, or rows. Throws wrong_command for another command.
    [[nodiscard]] task<copy_reader> copy_out(std::string sql);

    /// Listens to channels (LISTEN) and yields the notifications without end, also those that came while the
    /// connection was used otherwise since. It has begun when the first next() waits; when it is dropped,
    /// UNLISTEN is sent. Throws connection_lost when the connection ends.
    [[nodiscard]] async_generator<notification> listen(std::string channel);
    [[nodiscard]] async_generator<notification> listen(std::vector<std::string> channels);
    /// Notifies a channel; the payload is below 8000 bytes, says the server.
    [[nodiscard]] task<> notify(std::string channel, std::string payload = {});

    /// Waits for the recovery from dropped commands, and closes the connection. Requires: no task uses it.
    [[nodiscard]] task<> close();

    /// Whether no loss or close is known of. Never waits.
    [[nodiscard]] bool is_open() const noexcept;
    /// The same, after a check of the socket: the server may have gone while the connection was idle. Costs a
    /// system call. Requires: no task uses it.
    [[nodiscard]] bool is_alive() const noexcept;
    /// The number of the server's process for it, as pg_stat_activity has it; 0 if it is closed.
    [[nodiscard]] int process_id() const noexcept;
    /// 150004 for 15.4; 0 if it is closed.
    [[nodiscard]] int server_version() const noexcept;

private:
    friend class detail::pool_state;
    explicit connection(std::shared_ptr<detail::session> opened) noexcept : session_(std::move(opened)) {}

    std::shared_ptr<detail::session> session_;
};

}  // namespace eddy::pq
