#include "rpc/call_attempt.hpp"
#include "rpc/call_repetition.hpp"
#include "rpc/call_status.hpp"
#include "rpc/channel_state.hpp"
#include "rpc/incoming_messages.hpp"
#include "rpc/message_coding.hpp"
#include "rpc/outgoing_messages.hpp"
#include "rpc/request_head.hpp"
#include "rpc/service_config.hpp"
#include "rpc/timeout.hpp"
#include "rpc/wire_metadata.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/detail/frame_cache.hpp>
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

class client_call::state final : public attempted_call, public eddy::detail::in_frame_cache {
public:
    state(const rpc::channel& through, std::string_view called, std::string_view default_subtype,
          call_options options)
        : channel(through.state()),
          chosen(std::move(options)),
          method(channel->method(called)),
          subtype(!chosen.subtype().empty()               ? chosen.subtype()
                  : !channel->options().subtype().empty() ? channel->options().subtype()
                                                          : std::string(default_subtype)),
          declared(chosen.compression().value_or(channel->options().compression())),
          sent(declared),
          send_bytes_max(chosen.send_bytes_max().value_or(channel->options().send_bytes_max())),
          incoming(
              std::min(chosen.receive_bytes_max().value_or(channel->options().receive_bytes_max()),
                       config() != nullptr ? config()->receive_bytes_max : static_cast<std::size_t>(-1))),
          outgoing(channel->options().retry_bytes_max()) {
        if (config() != nullptr)
            send_bytes_max = std::min(send_bytes_max, config()->send_bytes_max);
    }
    ~state();

    /// The call begins now.
    void begin();
    /// Makes attempts until the response of one has begun. Throws rpc::error if the call has ended before.
    [[nodiscard]] task<> ask();
    /// The same for another task to wait for.
    [[nodiscard]] task<> ask_aside();
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
    [[nodiscard]] task<bool> write_until_deadline(std::string frame);

private:
    /// Of the method; null if the service config has none.
    [[nodiscard]] const method_config* config() const noexcept { return method->config; }
    template <class T>
    [[nodiscard]] task<T> until_deadline(task<T> work);
    [[nodiscard]] task<attempt_pointer> make_attempts();
    /// Whether there is a way to read them.
    [[nodiscard]] bool keeps_metadata() const noexcept { return is_stream || chosen.info() != nullptr; }
    [[nodiscard]] task<attempt_pointer> attempt(unsigned previous) override;
    [[nodiscard]] bool may_repeat() const noexcept override { return outgoing.may_repeat(); }
    [[nodiscard]] std::string begin_request(unsigned previous) const;
    [[nodiscard]] task<> add_proof(std::string& head, const call_credentials& by);
    void take(attempt_pointer chosen_one);
    void inform() const;

public:
    std::shared_ptr<channel_state> channel;
    call_options chosen;
    std::shared_ptr<const channel_method> method;
    std::string subtype;
    compression declared;
    compression sent;
    std::size_t send_bytes_max;
    time_point began{};
    time_point deadline = time_point::max();
    incoming_messages incoming;
    metadata initial;
    metadata trailing;
    std::optional<status> end;
    std::string only_frame;  // of a request that is no stream; sent by each attempt
    outgoing_messages outgoing;
    unsigned attempts = 0;
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_received = 0;
    bool is_stream = false;
    event<> has_begun;
    std::exception_ptr failure;  // of what opens the call aside
    exchange_pointer exchange;   // once a response has begun
    handle<> opening;
};

client_call::state::~state() {
    opening.cancel();
    channel->strings().put(std::move(only_frame));
    if (method->metrics == nullptr || began == time_point{})
        return;
    const status_code code = end ? end->code() : status_code::cancelled;
    method->metrics->count(code, worker::current().turn_time() - began, bytes_sent, bytes_received);
}

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
    began = worker::current().turn_time();
    deadline = chosen.deadline().value_or(time_point::max());
    if (chosen.timeout())
        deadline = std::min(deadline, deadline_after(began, *chosen.timeout()));
    if (config() != nullptr && config()->timeout)
        deadline = std::min(deadline, deadline_after(began, *config()->timeout));
    if (method->metrics != nullptr)
        method->metrics->count_start();
}

// -- attempts --

std::string client_call::state::begin_request(unsigned previous) const {
    std::string head = channel->strings().take();
    head += method->head;
    if (subtype == "proto") {
        head += "content-type: application/grpc\r\n";
    } else {
        add_line(head, "content-type", std::string("application/grpc+").append(subtype));
    }
    if (deadline != time_point::max())
        add_line(head, "grpc-timeout", timeout_text(deadline - worker::current().turn_time()));
    if (declared != compression::identity)
        add_line(head, "grpc-encoding", to_string(declared));
    head.append("grpc-accept-encoding: ").append(accepted_encodings).append("\r\n");
    if (previous != 0)
        add_line(head, "grpc-previous-rpc-attempts", std::to_string(previous));
    for (const auto& [name, value] : chosen.metadata())
        add_line(head, name, wire_value(name, value));
    return head;
}

task<> client_call::state::add_proof(std::string& head, const call_credentials& by) {
    const rpc::metadata proof = co_await channel->prove(by, method->path);
    for (const auto& [name, value] : proof)
        add_line(head, name, wire_value(name, value));
}

task<attempt_pointer> client_call::state::attempt(unsigned previous) {
    ++attempts;
    call_request request{
        .head = begin_request(previous), .frame = only_frame, .stream = is_stream ? &outgoing : nullptr};
    attempt_pointer unproved;
    try {
        if (channel->options().credentials())
            co_await add_proof(request.head, channel->options().credentials());
        if (chosen.credentials())
            co_await add_proof(request.head, chosen.credentials());
    } catch (const error& failed) {
        unproved = std::make_unique<call_attempt>();
        unproved->fail(failed.status());
    }
    if (unproved)
        co_return unproved;
    end_head(request.head);
    const bool waits =
        chosen.wait_for_ready().value_or(config() != nullptr && config()->waits_for_ready.value_or(false));
    attempt_pointer made = co_await make_attempt(channel->send(request, waits), keeps_metadata());
    made->was_refused = request.was_refused;
    channel->strings().put(std::move(request.head));
    co_return made;
}

task<attempt_pointer> client_call::state::make_attempts() {
    call_repetition made(*this, channel->throttle());
    if (config() != nullptr && config()->hedging)
        co_return co_await made.hedge(*config()->hedging);
    const retry_policy* const policy = config() != nullptr && config()->retry ? &*config()->retry : nullptr;
    co_return co_await made.retry(policy);
}

task<> client_call::state::ask() {
    take(co_await until_deadline(make_attempts()));
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

void client_call::state::take(attempt_pointer chosen_one) {
    initial = std::move(chosen_one->initial);
    trailing = std::move(chosen_one->trailing);
    inform();
    outgoing.commit();
    exchange = std::move(chosen_one->exchange);
    incoming.set_compression(chosen_one->encoding);
    if (!chosen_one->end)
        return;
    end = std::move(chosen_one->end);
    outgoing.close();
    throw_end();
}

void client_call::state::inform() const {
    if (chosen.info() == nullptr)
        return;
    chosen.info()->set_initial_metadata(initial);
    chosen.info()->set_trailing_metadata(trailing);
    chosen.info()->set_counts(attempts, bytes_sent, bytes_received);
}

// -- the response --

void client_call::state::take_end() {
    status_fields fields;
    for (const auto& [name, value] : exchange->trailers()) {
        fields.add(name, value);
        if (keeps_metadata())
            add_field(trailing, name, value);
    }
    inform();
    if (!fields.has_status())
        fail(status(status_code::unknown, "the response has no grpc-status"));
    if (incoming.is_within_frame() && fields.made().is_ok())
        fail(status(status_code::internal, "the response has ended within a message"));
    end = fields.made();
    outgoing.close();
    exchange.reset();
    if (end->is_ok() && channel->throttle() != nullptr)
        channel->throttle()->note_success();
    throw_end();
}

task<std::size_t> client_call::state::receive() {
    // Chosen outside of the await, which g++ 12 needs.
    const std::span<std::byte> room = incoming.room();
    const std::size_t count = co_await until_deadline(exchange->read(room));
    incoming.add(count);
    bytes_received += count;
    co_return count;
}

void client_call::state::fail(status why) {
    end = std::move(why);
    outgoing.close();
    exchange.reset();
    inform();
    throw error(*end);
}

// The reader finds out that it has passed.
task<bool> client_call::state::write_until_deadline(std::string frame) {
    const auto written = co_await as_result(with_deadline(outgoing.add(std::move(frame)), deadline));
    co_return written.value_or(false);
}

client_call::client_call(const rpc::channel& through, std::string_view method,
                         std::string_view default_subtype, call_options options) {
    if (!method.starts_with('/') ||
        !std::ranges::all_of(method, [](char each) { return each > 0x20 && each < 0x7f; }))
        throw std::invalid_argument("a method is called by \"/package.Service/Method\"");
    state_ = std::make_unique<state>(through, method, default_subtype, std::move(options));
}
client_call::client_call(client_call&&) noexcept = default;
client_call& client_call::operator=(client_call&&) noexcept = default;

client_call::~client_call() = default;

std::string client_call::begin_frame() const {
    return detail::begin_frame(state_->channel->strings().take());
}

std::string_view client_call::subtype() const noexcept {
    return state_->subtype;
}

void client_call::seal(std::string& framed) const {
    seal_frame(framed, state_->sent, state_->send_bytes_max);
}

task<> client_call::send(std::string framed) {
    state_->begin();
    state_->bytes_sent = framed.size();
    state_->only_frame = std::move(framed);
    co_await state_->ask();
}

void client_call::open() {
    state_->begin();
    state_->is_stream = true;
    state_->opening = spawn(state_->ask_aside(), "call");
}

task<bool> client_call::write(std::string framed) {
    state_->bytes_sent += framed.size();
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
