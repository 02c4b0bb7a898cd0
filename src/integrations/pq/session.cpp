#include "session.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/net/readiness.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

// How a session comes back after a drop. The dropped command may still be on its way to the server, run
// there, or have sent half its result. recover() first takes what has arrived already; if that is not the
// end, it sends a cancel request, waits until the server has passed that on, and drains what still comes. A
// request that reaches the server before the command does has no effect, so it is sent again, less and less
// often, until the command has ended. Since each is awaited before the next step, none is left on its way
// that could hit a later command. A COPY FROM STDIN that was begun by the extended protocol is not cancelled:
// its command and its end each bring a Sync, of which the server skips the first only while the COPY runs.
// Ended by a cancel request before that, it would report twice that it is ready. So copy_in() uses the simple
// protocol, and one that query() started ends by itself. Then an open transaction without an owner is rolled
// back, and LISTEN is undone.
//
// If the connection is destroyed meanwhile, recover() owns the session: it sends the cancel request and
// closes the connection.

namespace eddy::pq::detail {
namespace {

using namespace std::chrono_literals;

constexpr duration first_drain_time = 50ms;
constexpr duration drain_time_max = 1s;
constexpr duration cancel_time_max = 2s;

}  // namespace

session::session(native_connection connection, std::optional<cancel_request> cancel,
                 const connection_options& options)
    : connection_(std::move(connection)),
      cancel_(std::move(cancel)),
      recovery_timeout_(options.recovery_timeout()),
      on_notice_(options.on_notice()) {
    settled_.set();
    PQsetNoticeReceiver(native(), &session::take_notice, this);
}

// A server that shuts down while the session is idle sends a notice: FATAL, or a WARNING of class 57P.
void session::take_notice(void* self, const PGresult* reported) noexcept {
    auto& here = *static_cast<session*>(self);
    try {
        const server_fields fields = fields_of(*reported);
        here.is_doomed_ = here.is_doomed_ || fields.severity == "FATAL" || fields.severity == "PANIC" ||
                          fields.sqlstate.starts_with("57P");
        if (here.on_notice_ != nullptr)
            (*here.on_notice_)(fields);
    } catch (const std::bad_alloc&) {  // a notice is lost
    }
}

void session::look_at_socket() noexcept {
    // Last words and the end of the stream come one by one.
    const bool goes_on = take_arrived() && take_arrived();
    if (!goes_on || (has_result() && is_doomed_))
        close();
}

bool session::is_in_transaction() const noexcept {
    const auto status = PQtransactionStatus(native());
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

task<> session::become_idle() {
    while (is_recovering())
        co_await settled_.wait();
    if (is_closed())
        throw_lost();
}

task<> session::settle() {
    while (is_recovering())
        co_await settled_.wait();
}

void session::throw_lost() const {
    throw error(errc::connection_lost, lost_because_.empty() ? "the connection was closed" : lost_because_);
}

void session::close() noexcept {
    if (is_closed())
        return;
    state_ = state::closed;
    try {
        lost_because_ = connection_ == nullptr ? "" : message_of(*native());
    } catch (const std::bad_alloc&) {  // there is a message of our own
    }
    connection_.reset();
    settled_.set();
}

void session::look_at_status() noexcept {
    if (!is_closed() && PQstatus(native()) == CONNECTION_BAD)
        close();
}

bool session::take_arrived() noexcept {
    return PQconsumeInput(native()) == 1;
}

void session::throw_failed(errc kind) {
    const std::string message = message_of(*native());
    look_at_status();
    throw error(is_closed() ? errc::connection_lost : kind, message);
}

void session::throw_refused(const PGresult& refused) {
    server_fields fields = fields_of(refused);
    look_at_status();
    throw error(is_closed() ? errc::connection_lost : errc::server_error, std::move(fields));
}

task<> session::flush() {
    for (;;) {
        const int left = PQflush(native());
        if (left == 0)
            co_return;
        if (left < 0)
            co_return;  // the connection has ended: the result has the error, after the server's last message
        co_await race(readable(descriptor()), writable(descriptor()));
        if (!take_arrived())
            co_return;
    }
}

task<native_result> session::next_result() {
    while (!has_result()) {
        co_await readable(descriptor());
        if (!take_arrived())
            break;  // PQgetResult() reports it
    }
    co_return native_result(PQgetResult(native()));
}

void session::send(const command& cmd) {
    is_extended_ = true;
    const parameters& values = cmd.parameters();
    const std::size_t count = values.size();
    constexpr std::size_t few = 16;
    std::array<const char*, few> some_texts;
    std::array<int, few> some_sizes;
    std::array<int, few> some_formats;
    std::vector<const char*> many_texts(count > few ? count : 0);
    std::vector<int> many_numbers(count > few ? 2 * count : 0);
    const char** const texts = count > few ? many_texts.data() : some_texts.data();
    int* const sizes = count > few ? many_numbers.data() : some_sizes.data();
    int* const formats = count > few ? many_numbers.data() + count : some_formats.data();
    for (std::size_t index = 0; index < count; ++index) {
        const parameters::place& at = values.values()[index];
        texts[index] = at.is_null ? nullptr : values.bytes().data() + at.offset;
        sizes[index] = static_cast<int>(at.size);
        formats[index] = at.is_binary ? 1 : 0;
    }
    const int parameter_count = static_cast<int>(count);
    const int sent = cmd.is_prepared() ? PQsendQueryPrepared(native(), cmd.text().c_str(), parameter_count,
                                                             texts, sizes, formats, 0)
                                       : PQsendQueryParams(native(), cmd.text().c_str(), parameter_count,
                                                           nullptr, texts, sizes, formats, 0);
    if (sent == 0)
        throw_failed(errc::invalid_argument);
}

void session::recover_later(bool rolls_back) noexcept {
    rolls_back_ = rolls_back_ || rolls_back;
    if (is_closed() || is_recovering())
        return;
    state_ = state::recovering;
    settled_.reset();
    try {
        spawn(recover(shared_from_this()), "a database connection that is brought back").detach();
    } catch (const std::bad_alloc&) {
        close();
    }
}

task<> session::recover(std::shared_ptr<session> self) {
    try {
        co_await with_timeout(self->bring_back(), self->recovery_timeout_);
        self->rolls_back_ = false;
        self->unlistens_ = false;
        if (!self->is_closed())
            self->state_ = state::idle;
    } catch (const std::exception&) {
        self->close();
    }
    self->settled_.set();
}

task<> session::bring_back() {
    co_await end_commands();
    if (is_closed() || is_abandoned())
        co_return;
    if (rolls_back_ && is_in_transaction())
        co_await run_simply("rollback");
    if (unlistens_)
        co_await run_simply("unlisten *");
}

task<> session::end_commands() {
    is_extended_copy_ = false;
    for (duration drain_time = duration::zero();;
         drain_time = std::min(std::max(2 * drain_time, first_drain_time), drain_time_max)) {
        const auto drained = co_await as_result(with_timeout(drain(), drain_time));
        if (drained || is_closed())
            co_return;
        if (!is_extended_copy_)
            co_await cancel_command();
        if (is_abandoned())
            co_return;
    }
}

task<> session::cancel_command() {
    if (!cancel_)
        throw error(errc::connection_lost, "the server has given no key by which commands are cancelled");
    // If it fails, the command continues.
    co_await as_result(with_timeout(cancel_->send(), cancel_time_max));
}

// May be dropped and begun again.
task<> session::drain() {
    const bool has_arrived = take_arrived();
    if (has_arrived && PQpipelineStatus(native()) != PQ_PIPELINE_OFF && awaited_syncs_ == 0)
        sync_pipeline();
    for (;;) {
        co_await flush();
        const native_result answer = co_await next_result();
        if (answer != nullptr)
            co_await pass_over(*answer);
        else if (awaited_syncs_ == 0 || PQstatus(native()) == CONNECTION_BAD)
            break;
    }
    look_at_status();
    if (is_closed())
        throw_lost();
    if (PQpipelineStatus(native()) != PQ_PIPELINE_OFF && PQexitPipelineMode(native()) == 0)
        throw_failed(errc::connection_lost);
}

task<> session::pass_over(const PGresult& answer) {
    switch (PQresultStatus(&answer)) {
        case PGRES_PIPELINE_SYNC:
            --awaited_syncs_;
            break;
        case PGRES_COPY_IN:
            is_extended_copy_ = is_extended_;
            PQputCopyEnd(native(), "given up by the client");  // again, if there was no room for it
            break;
        case PGRES_COPY_OUT:
        case PGRES_COPY_BOTH:
            co_await pass_over_copied();
            break;
        default:
            break;
    }
}

task<> session::pass_over_copied() {
    copied_bytes skipped;
    bool has_more = true;
    while (has_more)
        has_more = co_await next_copied(skipped);
}

task<bool> session::next_copied(copied_bytes& row) {
    for (;;) {
        char* bytes = nullptr;
        const int size = PQgetCopyData(native(), &bytes, 1);
        row.reset(bytes, size);
        if (size > 0)
            co_return true;
        if (size < 0)
            co_return false;  // the result says why
        co_await readable(descriptor());
        if (!take_arrived())
            co_return false;
    }
}

void session::sync_pipeline() {
    if (PQpipelineSync(native()) == 0)
        throw_failed(errc::connection_lost);
    ++awaited_syncs_;
}

void session::send_simply(const char* sql) {
    is_extended_ = false;
    if (PQsendQuery(native(), sql) == 0)
        throw_failed(errc::invalid_argument);
}

task<> session::run_simply(const char* sql) {
    send_simply(sql);
    co_await drain();
}

}  // namespace eddy::pq::detail
