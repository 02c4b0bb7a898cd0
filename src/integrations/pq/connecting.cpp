#include "connecting.hpp"

#include "cancel_key_watch.hpp"
#include "conninfo.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/net/readiness.hpp>

#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::pq::detail {
namespace {

[[noreturn]] void throw_refused(const PGconn& connection) {
    throw error(errc::connect_failed, message_of(connection));
}

task<native_connection> start(const conninfo& parameters) {
    native_connection made(PQconnectStartParams(parameters.keywords().data(), parameters.values().data(), 0));
    if (made == nullptr)
        throw std::bad_alloc();
    if (PQstatus(made.get()) == CONNECTION_BAD)
        throw_refused(*made);
    co_return made;
}

/// PQconnectPoll() until the end. The socket may be another one each time: one for each address.
task<> finish(PGconn& connection) {
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
    while (wanted != PGRES_POLLING_OK) {
        if (wanted == PGRES_POLLING_FAILED)
            throw_refused(connection);
        if (wanted == PGRES_POLLING_READING)
            co_await readable(PQsocket(&connection));
        else
            co_await writable(PQsocket(&connection));
        wanted = PQconnectPoll(&connection);
    }
}

std::optional<cancel_request> request_of(const PGconn& connection, const cancel_key& key) {
    const std::string_view host = PQhost(&connection);
    const bool is_local = host.starts_with('/') || host.starts_with('@');
    const std::string address(is_local ? PQhost(&connection) : PQhostaddr(&connection));
    if (address.empty())
        return std::nullopt;
    return cancel_request(address, PQport(&connection), key.process, key.secret);
}

/// Times are read in the ISO style, which is the server's default; a role or database may have another.
task<> settle_style(session& made) {
    const char* const style = PQparameterStatus(made.native(), "DateStyle");
    if (style == nullptr || std::string_view(style).starts_with("ISO"))
        co_return;
    exchange setting(made);
    const command cmd("set datestyle to iso");
    made.send(cmd);
    co_await made.flush();
    for (;;) {
        const native_result answer = co_await made.next_result();
        if (answer == nullptr)
            break;
        if (is_error(*answer))
            made.throw_refused(*answer);
    }
    setting.finish();
}

task<std::shared_ptr<session>> open(const connection_options& options) {
    conninfo parameters(options);
    co_await parameters.resolve_hosts();
    native_connection connection = co_await start(parameters);
    std::optional<cancel_request> cancel;
    {
        cancel_key_watch watch(*connection);
        co_await finish(*connection);
        if (const auto key = watch.key())
            cancel = request_of(*connection, *key);
    }
    if (PQsetnonblocking(connection.get(), 1) != 0)
        throw_refused(*connection);
    auto made = std::make_shared<session>(std::move(connection), std::move(cancel), options);
    co_await settle_style(*made);
    co_return made;
}

}  // namespace

task<std::shared_ptr<session>> open_session(connection_options options) {
    try {
        co_return co_await with_timeout(open(options), options.connect_timeout());
    } catch (const error&) {
        throw;
    } catch (const std::system_error& failed) {
        const bool is_late = failed.code() == std::errc::timed_out;
        throw error(is_late ? errc::connect_timed_out : errc::connect_failed, failed.what());
    }
}

}  // namespace eddy::pq::detail
