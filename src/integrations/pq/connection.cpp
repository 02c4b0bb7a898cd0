#include "answer.hpp"
#include "connecting.hpp"
#include "session.hpp"

#include <eddy/integrations/pq/connection.hpp>
#include <eddy/net/readiness.hpp>

#include <array>
#include <memory>
#include <utility>

namespace eddy::pq {

namespace {

using detail::exchange;
using detail::native_result;
using detail::session;

std::string quoted(const std::string& name) {
    std::string out = "\"";
    for (const char character : name) {
        if (character == '"')
            out += '"';
        out += character;
    }
    return out + '"';
}

task<result> run_script(std::shared_ptr<session> on, std::string script) {
    if (!on->is_idle())
        co_await on->become_idle();
    exchange running(*on);
    on->send_simply(script.c_str());
    detail::answer taken;
    co_await detail::gather(*on, taken);
    running.finish();
    co_return detail::shared(taken.get(*on));
}

task<prepared> prepare_once(std::shared_ptr<session> on, std::string sql) {
    if (!on->is_idle())
        co_await on->become_idle();
    if (const auto known = on->statements().find(sql); known != on->statements().end())
        co_return prepared(known->second);
    const std::string name = on->next_statement_name();
    exchange running(*on);
    if (PQsendPrepare(on->native(), name.c_str(), sql.c_str(), 0, nullptr) == 0)
        on->throw_failed(errc::invalid_argument);
    detail::answer taken;
    co_await detail::gather(*on, taken);
    running.finish();
    const native_result done = taken.get(*on);
    on->statements().emplace(std::move(sql), name);
    co_return prepared(name);
}

/// Begins a COPY, which the server confirms or refuses. By the simple protocol: see session.cpp.
task<std::unique_ptr<exchange>> begin_copy(session& on, const std::string& sql, ExecStatusType wanted) {
    if (!on.is_idle())
        co_await on.become_idle();
    auto running = std::make_unique<exchange>(on);
    on.send_simply(sql.c_str());
    co_await on.flush();
    native_result begun = co_await on.next_result();
    if (begun != nullptr && PQresultStatus(begun.get()) == wanted)
        co_return running;
    if (begun != nullptr && !detail::is_error(*begun))
        throw error(errc::wrong_command, "not the requested COPY: " + sql);
    detail::answer rest;
    co_await detail::gather(on, rest);
    running->finish();
    if (begun != nullptr)
        on.throw_refused(*begun);
    on.throw_lost();
}

/// Lives as long as the generator; then sends UNLISTEN.
class listening {
public:
    explicit listening(std::shared_ptr<session> on) noexcept : on_(std::move(on)) {}
    listening(const listening&) = delete;
    listening& operator=(const listening&) = delete;
    ~listening() {
        on_->unlisten_later();
        on_->recover_later(false);
    }

private:
    std::shared_ptr<session> on_;
};

async_generator<notification> listen_on(std::shared_ptr<session> on, std::vector<std::string> channels) {
    if (!on->is_idle())
        co_await on->become_idle();
    const listening until_dropped(on);
    for (const std::string& channel : channels) {
        const command cmd("listen " + quoted(channel));
        co_await detail::run_alone(*on, cmd);
    }
    exchange waiting(*on);
    for (;;) {
        const std::unique_ptr<PGnotify, decltype(&PQfreemem)> reported(PQnotifies(on->native()),
                                                                       [](void* freed) { PQfreemem(freed); });
        if (reported != nullptr) {
            notification given(reported->relname, reported->extra, reported->be_pid);
            co_yield std::move(given);
            continue;
        }
        co_await readable(on->descriptor());
        if (!on->take_arrived())
            on->throw_failed(errc::connection_lost);
    }
}

}  // namespace

task<result> detail::run(std::shared_ptr<session> on, command cmd) {
    native_result answered = co_await run_alone(*on, cmd);
    co_return shared(std::move(answered));
}

task<connection> connection::connect(connection_options options) {
    auto opened = co_await detail::open_session(std::move(options));
    co_return connection(std::move(opened));
}

connection::~connection() = default;

task<result> connection::execute(std::string script) {
    return run_script(session_, std::move(script));
}

task<prepared> connection::prepare(std::string sql) {
    return prepare_once(session_, std::move(sql));
}

task<transaction> connection::begin(transaction_options options) {
    std::shared_ptr<session> on = session_;
    std::string sql = "begin";
    constexpr std::array<const char*, 4> levels = {"", " isolation level read committed",
                                                   " isolation level repeatable read",
                                                   " isolation level serializable"};
    sql += levels[static_cast<std::size_t>(options.level())];
    if (options.read_only())
        sql += " read only";
    const command cmd(std::move(sql));
    if (!on->is_idle())
        co_await on->become_idle();
    transaction begun(on);  // from here on, since a dropped BEGIN may have begun
    co_await detail::run_alone(*on, cmd);
    co_return begun;
}

task<copy_writer> connection::copy_in(std::string sql) {
    std::shared_ptr<session> on = session_;
    auto begun = co_await begin_copy(*on, sql, PGRES_COPY_IN);
    co_return copy_writer(std::move(on), std::move(begun));
}

task<copy_reader> connection::copy_out(std::string sql) {
    std::shared_ptr<session> on = session_;
    auto begun = co_await begin_copy(*on, sql, PGRES_COPY_OUT);
    co_return copy_reader(std::move(on), std::move(begun));
}

async_generator<notification> connection::listen(std::string channel) {
    std::vector<std::string> channels;
    channels.push_back(std::move(channel));
    return listen_on(session_, std::move(channels));
}

async_generator<notification> connection::listen(std::vector<std::string> channels) {
    return listen_on(session_, std::move(channels));
}

task<> connection::notify(std::string channel, std::string payload) {
    std::shared_ptr<session> on = session_;
    const command cmd("select pg_notify($1, $2)", channel, payload);
    co_await detail::run_alone(*on, cmd);
}

task<> connection::close() {
    std::shared_ptr<session> on = session_;
    co_await on->settle();
    on->close();
}

bool connection::is_open() const noexcept {
    return session_ != nullptr && !session_->is_closed();
}

bool connection::is_alive() const noexcept {
    if (!is_open() || !session_->is_idle())
        return is_open();
    session_->look_at_socket();
    return is_open();
}

int connection::process_id() const noexcept {
    return is_open() ? PQbackendPID(session_->native()) : 0;
}

int connection::server_version() const noexcept {
    return is_open() ? PQserverVersion(session_->native()) : 0;
}

}  // namespace eddy::pq
