#pragma once

#include "cancel_request.hpp"
#include "native.hpp"

#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/connection_options.hpp>
#include <eddy/integrations/pq/result.hpp>
#include <eddy/sync/event.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace eddy::pq::detail {

/// A connection to a server, and the exchange on it. Shared by its user and by the task that recovers it
/// after a drop in the middle of an exchange. One exchange at a time.
///
///     idle  --exchange begins-->  busy  --finish()-->  idle
///                                 busy  --dropped--->  recovering  -->  idle or closed
///     any   --the connection ends-->  closed
class session : public std::enable_shared_from_this<session> {
public:
    session(native_connection connection, std::optional<cancel_request> cancel,
            const connection_options& options);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session() = default;

    [[nodiscard]] PGconn* native() const noexcept { return connection_.get(); }
    [[nodiscard]] int descriptor() const noexcept { return PQsocket(connection_.get()); }

    [[nodiscard]] bool is_idle() const noexcept { return state_ == state::idle; }
    [[nodiscard]] bool is_recovering() const noexcept { return state_ == state::recovering; }
    [[nodiscard]] bool is_closed() const noexcept { return state_ == state::closed; }
    /// Whether the server waits for the end of a transaction.
    [[nodiscard]] bool is_in_transaction() const noexcept;

    /// Waits until the recovery from a drop is complete. Throws connection_lost if the session is closed.
    [[nodiscard]] task<> become_idle();
    /// Waits for the end of what was dropped, however that goes.
    [[nodiscard]] task<> settle();
    [[noreturn]] void throw_lost() const;

    /// Recovers the session in the background: cancels what runs, drains it, and, if `rolls_back`, rolls back
    /// an open transaction that has lost its owner.
    void recover_later(bool rolls_back) noexcept;
    /// Ends what LISTEN began when the session is brought back next.
    void unlisten_later() noexcept { unlistens_ = true; }

    /// Looks at the socket while nothing is under way, and closes the session if the server has gone or says
    /// that it goes.
    void look_at_socket() noexcept;
    /// Takes what has arrived from the socket; false if the connection has ended.
    [[nodiscard]] bool take_arrived() noexcept;
    /// Sends what libpq holds back, and takes what arrives meanwhile. Throws connection_lost.
    [[nodiscard]] task<> flush();
    /// The next result of what was sent, none at the end of a command.
    [[nodiscard]] task<native_result> next_result();
    /// next_result() if that takes no waiting: whether it did.
    [[nodiscard]] bool has_result() const noexcept { return PQisBusy(connection_.get()) == 0; }

    /// The next message of a COPY to the client; false at its end, which the next result describes.
    [[nodiscard]] task<bool> next_copied(copied_bytes& row);
    /// Ends a part of a pipeline. The session counts the parts whose end has not arrived.
    void sync_pipeline();
    void note_sync() noexcept { --awaited_syncs_; }

    /// Hands a command to libpq, which sends what the socket takes. Throws.
    void send(const command& cmd);
    /// The same by the simple protocol: several commands, or a COPY.
    void send_simply(const char* sql);
    /// What libpq says of itself after a call has failed. Closes the session if the connection has ended.
    [[noreturn]] void throw_failed(errc kind);
    /// Throws what the server says of an error.
    [[noreturn]] void throw_refused(const PGresult& refused);

    /// Closes the session if libpq has found that the connection has ended.
    void look_at_status() noexcept;
    void close() noexcept;

    [[nodiscard]] std::string next_statement_name() { return "eddy_" + std::to_string(++statement_count_); }
    /// What prepare() has made, by its SQL.
    [[nodiscard]] std::unordered_map<std::string, std::string>& statements() noexcept { return statements_; }

private:
    friend class exchange;
    enum class state : std::uint8_t { idle, busy, recovering, closed };

    static void take_notice(void* self, const PGresult* reported) noexcept;
    static task<> recover(std::shared_ptr<session> self);
    [[nodiscard]] task<> bring_back();
    [[nodiscard]] task<> end_commands();
    [[nodiscard]] task<> cancel_command();
    [[nodiscard]] task<> drain();
    [[nodiscard]] task<> pass_over(const PGresult& answer);
    [[nodiscard]] task<> pass_over_copied();
    [[nodiscard]] task<> run_simply(const char* sql);
    [[nodiscard]] bool is_abandoned() const noexcept { return weak_from_this().use_count() == 1; }

    native_connection connection_;
    std::optional<cancel_request> cancel_;
    duration recovery_timeout_;
    notice_handler on_notice_;
    bool is_doomed_ = false;  // the server has said that it ends the connection
    std::string lost_because_;
    std::unordered_map<std::string, std::string> statements_;
    int awaited_syncs_ = 0;
    std::uint64_t statement_count_ = 0;
    event<> settled_;  // set unless it recovers
    state state_ = state::idle;
    bool is_extended_ = false;       // the protocol of the command that was sent last
    bool is_extended_copy_ = false;  // which was a COPY FROM STDIN
    bool rolls_back_ = false;
    bool unlistens_ = false;
};

/// What is under way on a session. Destroyed before finish(), it was dropped, and the session is brought
/// back.
class exchange {
public:
    /// Requires: the session is idle, and outlives it.
    explicit exchange(session& on) noexcept : on_(&on) {
        EDDY_ASSERT(on.is_idle(), "one task at a time uses a connection");
        on.state_ = session::state::busy;
    }
    exchange(exchange&& other) noexcept : on_(std::exchange(other.on_, nullptr)) {}
    exchange& operator=(exchange&&) = delete;
    ~exchange() {
        if (on_ != nullptr && on_->state_ == session::state::busy)
            on_->recover_later(false);
    }

    /// The server waits for the next command.
    void finish() noexcept {
        if (session* const on = std::exchange(on_, nullptr); on->state_ == session::state::busy)
            on->state_ = session::state::idle;
    }

private:
    session* on_;
};

}  // namespace eddy::pq::detail
