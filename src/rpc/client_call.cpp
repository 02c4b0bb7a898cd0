#include "rpc/call_status.hpp"
#include "rpc/channel_state.hpp"
#include "rpc/incoming_messages.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/outgoing_messages.hpp"
#include "rpc/timeout.hpp"
#include "rpc/wire_metadata.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/detail/client_call.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/event.hpp>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace eddy::rpc::detail {

using eddy::detail::deadline_after;

class client_call::state {
public:
    state(const channel& through, std::string_view method, std::string_view default_subtype,
          call_options options)
        : channel(through.state()),
          chosen(std::move(options)),
          request(channel->request(method)),
          subtype(!chosen.subtype().empty()               ? chosen.subtype()
                  : !channel->options().subtype().empty() ? channel->options().subtype()
                                                          : std::string(default_subtype)),
          declared(chosen.compression().value_or(channel->options().compression())),
          sent(declared),
          incoming(chosen.receive_bytes_max().value_or(channel->options().receive_bytes_max())) {}

    /// Completes the head of the request.
    void begin();
    /// Sends the request, and waits until the response has begun. Throws rpc::error.
    [[nodiscard]] task<> ask();
    /// The same for another task to wait for.
    [[nodiscard]] task<> ask_aside();
    void take_head();
    /// The body has come to its end. Throws rpc::error unless the call has ended with OK.
    void take_end();
    /// Waits until there are more bytes of the body, or its end: 0. Throws rpc::error.
    [[nodiscard]] task<std::size_t> receive();
    /// Throws what has ended the call, unless that is OK.
    void throw_end() const {
        if (!end->is_ok())
            throw error(*end);
    }
    /// Ends the call on both sides.
    [[noreturn]] void fail(status why);
    template <class T>
    [[nodiscard]] task<T> until_deadline(task<T> work);
    [[nodiscard]] task<bool> write_until_deadline(std::string framed);

    std::shared_ptr<channel_state> channel;
    call_options chosen;
    http::client_request request;
    std::string subtype;
    compression declared;
    compression sent;
    time_point deadline = time_point::max();
    incoming_messages incoming;
    metadata initial;
    metadata trailing;
    std::optional<status> end;
    outgoing_messages outgoing;
    event<> has_begun;
    std::exception_ptr failure;  // of what opens the call aside
    std::optional<http::client_response> response;
    handle<> opening;
};

template <class T>
task<T> client_call::state::until_deadline(task<T> work) {
    try {
        if (deadline == time_point::max())
            co_return co_await std::move(work);
        co_return co_await with_deadline(std::move(work), deadline);
    } catch (const std::system_error& failed) {
        if (failed.code() == std::errc::timed_out && worker::current().turn_time() >= deadline)
            fail(status(status_code::deadline_exceeded, "the deadline has passed"));
        fail(status_from(failed));
    }
}

void client_call::state::begin() {
    const time_point now = worker::current().turn_time();
    deadline = chosen.deadline().value_or(time_point::max());
    if (chosen.timeout())
        deadline = std::min(deadline, deadline_after(now, *chosen.timeout()));
    request.accept_trailers();
    request.field("Content-Type",
                  subtype == "proto" ? "application/grpc" : std::string("application/grpc+").append(subtype));
    if (deadline != time_point::max())
        request.field("grpc-timeout", timeout_text(deadline - now));
    if (declared != compression::identity)
        request.field("grpc-encoding", to_string(declared));
    request.field("grpc-accept-encoding", accepted_encodings);
    for (const auto& [name, value] : chosen.metadata())
        request.field(name, wire_value(name, value));
}

task<> client_call::state::ask() {
    response = co_await until_deadline(channel->send(std::move(request), chosen.wait_for_ready()));
    take_head();
}

task<> client_call::state::ask_aside() {
    try {
        co_await ask();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure)
        outgoing.close();
    has_begun.set();
}

void client_call::state::take_head() {
    const http::response_head head = response->head();
    status_fields fields;
    std::string_view encoding = "identity";
    bool is_ours = false;
    metadata arrived;
    for (std::size_t at = 0; at < head.header_count(); ++at) {
        const http::header_view line = head.header(at);
        if (line.name() == "content-type")
            is_ours = line.value().starts_with("application/grpc");
        else if (line.name() == "grpc-encoding")
            encoding = line.value();
        fields.add(line.name(), line.value());
        add_field(arrived, line.name(), line.value());
    }
    const bool is_all = response->body().is_over() && response->body().trailers().empty();
    // A response that is a head alone has the trailing metadata there.
    (is_all && fields.has_status() ? trailing : initial) = std::move(arrived);
    if (chosen.info() != nullptr) {
        chosen.info()->set_initial_metadata(initial);
        chosen.info()->set_trailing_metadata(trailing);
    }
    if (is_all && fields.has_status()) {
        end = fields.made();
        return;
    }
    if (response->status() != http::status::ok)
        fail(status(code_from_http(response->status()),
                    "HTTP status " + std::to_string(http::to_number(response->status()))));
    if (!is_ours)
        fail(status(status_code::unknown, "the response has another content type than gRPC's"));
    const auto way = compression_from(encoding);
    if (!way)
        fail(status(status_code::internal, "the response has an unknown grpc-encoding"));
    incoming.set_compression(*way);
}

void client_call::state::take_end() {
    status_fields fields;
    for (const auto& [name, value] : response->body().trailers()) {
        fields.add(name, value);
        add_field(trailing, name, value);
    }
    if (chosen.info() != nullptr)
        chosen.info()->set_trailing_metadata(trailing);
    if (!fields.has_status())
        fail(status(status_code::unknown, "the response has no grpc-status"));
    if (incoming.is_within_frame() && fields.made().is_ok())
        fail(status(status_code::internal, "the response has ended within a message"));
    end = fields.made();
    outgoing.close();
    response.reset();
    throw_end();
}

task<std::size_t> client_call::state::receive() {
    // Chosen outside of the await, which g++ 12 needs.
    const std::span<std::byte> room = incoming.room();
    const std::size_t count = co_await until_deadline(response->body().read(room));
    incoming.add(count);
    co_return count;
}

void client_call::state::fail(status why) {
    end = std::move(why);
    outgoing.close();
    response.reset();
    throw error(*end);
}

// The reader finds out that it has passed.
task<bool> client_call::state::write_until_deadline(std::string framed) {
    const auto written = co_await as_result(with_deadline(outgoing.add(std::move(framed)), deadline));
    co_return written.value_or(false);
}

client_call::client_call(const rpc::channel& through, std::string_view method,
                         std::string_view default_subtype, call_options options) {
    if (!method.starts_with('/'))
        throw std::invalid_argument("a method is called by \"/package.Service/Method\"");
    state_ = std::make_unique<state>(through, method, default_subtype, std::move(options));
}

client_call::~client_call() = default;

std::string_view client_call::subtype() const noexcept {
    return state_->subtype;
}

void client_call::seal(std::string& framed) const {
    seal_frame(framed, state_->sent,
               state_->chosen.send_bytes_max().value_or(state_->channel->options().send_bytes_max()));
}

task<> client_call::send(std::string framed) {
    state_->begin();
    state_->request.content(std::move(framed));
    co_await state_->ask();
}

void client_call::open() {
    state_->begin();
    state_->request.content(http::outgoing_body::of_pieces(state_->outgoing.pieces()));
    state_->opening = spawn(state_->ask_aside(), "call");
}

task<bool> client_call::write(std::string framed) {
    if (state_->deadline == time_point::max())
        return state_->outgoing.add(std::move(framed));
    return state_->write_until_deadline(std::move(framed));
}

task<> client_call::finish_writing() {
    state_->outgoing.finish();
    co_return;
}

task<> client_call::begin_reading() {
    state& self = *state_;
    if (self.opening)
        co_await self.has_begun.wait();
    if (self.failure)
        std::rethrow_exception(self.failure);
}

task<std::optional<std::span<const std::byte>>> client_call::read() {
    state& self = *state_;
    co_await begin_reading();
    if (self.end) {
        self.throw_end();
        co_return std::nullopt;
    }
    try {
        for (;;) {
            if (const auto message = self.incoming.next()) {
                if (self.chosen.info() != nullptr)
                    self.chosen.info()->set_was_compressed(self.incoming.was_compressed());
                co_return message;
            }
            const std::size_t count = co_await self.receive();
            if (count == 0) {
                self.take_end();
                co_return std::nullopt;
            }
        }
    } catch (const error& failed) {
        if (self.end)
            throw;
        self.fail(failed.status());
    }
}

void client_call::set_compression(compression way) noexcept {
    if (way == compression::identity || way == state_->declared)
        state_->sent = way;
}

bool client_call::was_compressed() const noexcept {
    return state_->incoming.was_compressed();
}

const metadata& client_call::initial_metadata() const noexcept {
    return state_->initial;
}

const metadata& client_call::trailing_metadata() const noexcept {
    return state_->trailing;
}

void client_call::fail_cardinality(const char* what) {
    state_->fail(status(status_code::unimplemented, what));
}

}  // namespace eddy::rpc::detail
