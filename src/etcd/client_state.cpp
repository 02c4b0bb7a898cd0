#include "etcd/client_state.hpp"

#include <eddy/http/client/client_options.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>

#include <exception>
#include <limits>
#include <new>
#include <stdexcept>

namespace eddy::etcd::detail {
namespace {

constexpr std::size_t message_bytes_max = std::numeric_limits<std::int32_t>::max();

/// A connection to a node, which notes when it ends.
class noted_stream : public any_stream {
public:
    noted_stream(any_stream stream, std::shared_ptr<node_connections> noted) noexcept
        : any_stream(std::move(stream)), noted_(std::move(noted)) {
        ++noted_->open;
    }
    noted_stream(noted_stream&&) noexcept = default;
    noted_stream& operator=(noted_stream&&) = delete;
    ~noted_stream() {
        if (noted_ && --noted_->open == 0)
            noted_->has_responded = false;
    }

private:
    std::shared_ptr<node_connections> noted_;
};

task<any_stream> connect_to(std::string host, std::uint16_t port) {
    tcp_stream made = co_await connect(std::move(host), port);
    co_return any_stream(std::move(made));
}

task<any_stream> connect_noted(task<any_stream> connecting, std::shared_ptr<node_connections> noted) {
    any_stream made = co_await std::move(connecting);
    co_return any_stream(noted_stream(std::move(made), std::move(noted)));
}

rpc::channel_options options_of_channel(const client_options& options,
                                        const std::shared_ptr<node_connections>& noted) {
    rpc::channel_options made = options.channel();
    // The waits between attempts are those of `attempts`.
    made.receive_bytes_max(message_bytes_max)
        .connect_time(options.attempt_time())
        .reconnect_wait(first_wait, first_wait);
    made.transport([noted, connects = made.transport()](http::client_target to) {
        auto connecting = connects ? connects(std::move(to)) : connect_to(to.host(), to.port());
        return connect_noted(std::move(connecting), noted);
    });
    return made;
}

/// Whether etcd has refused a request before it did anything of it, since it cannot do anything now.
bool is_unprocessed(const rpc::status& failed) noexcept {
    return failed.message() == "etcdserver: no leader";
}

bool is_token_refused(const rpc::status& failed) noexcept {
    return failed.code() == rpc::status_code::unauthenticated ||
           failed.message() == "etcdserver: revision of auth store is old" ||
           failed.message() == "etcdserver: user name is empty";
}

}  // namespace

bool is_passing(rpc::status_code code) noexcept {
    switch (code) {
        case rpc::status_code::unavailable:
        case rpc::status_code::deadline_exceeded:
        case rpc::status_code::cancelled:
        case rpc::status_code::internal:
        case rpc::status_code::unknown:
            return true;
        default:
            return false;
    }
}

node::node(const std::string& endpoint, const client_options& options)
    : channel_(endpoint, options_of_channel(options, connections_)) {}

duration attempts::next_wait() {
    return ++count_ % nodes_ == 0 ? waits_.next() : duration();
}

client_state::client_state(const std::vector<std::string>& endpoints, client_options options)
    : options_(std::move(options)), background_([](const std::exception_ptr&) {}) {
    if (endpoints.empty())
        throw std::invalid_argument("a client of etcd has an endpoint");
    for (const std::string& each : endpoints)
        nodes_.push_back(std::make_unique<node>(each, options_));
}

void client_state::leave(node& failed) noexcept {
    failed.note_failure();
    if (&current() == &failed)
        current_ = (current_ + 1) % nodes_.size();
}

time_point client_state::request_end() const noexcept {
    return eddy::detail::deadline_after(worker::current().turn_time(), options_.request_time());
}

task<rpc::call_options> client_state::options_for(const node& at) {
    rpc::call_options made;
    made.metadata("hasleader", "true");
    if (options_.user().empty())
        co_return made;
    if (!token_) {
        wire::AuthenticateRequest request;
        request.set_name(options_.user());
        request.set_password(options_.password());
        const etcdserverpb::auth_client through(at.channel());
        rpc::call_options limited;
        limited.timeout(options_.attempt_time());
        try {
            const wire::AuthenticateResponse granted =
                co_await through.authenticate(request, std::move(limited));
            token_ = granted.token();
        } catch (const rpc::error& failure) {
            // It is not enabled.
            if (failure.code() != rpc::status_code::failed_precondition)
                throw;
            token_.emplace();
        }
    }
    if (!token_->empty())
        made.metadata("token", *token_);
    co_return made;
}

bool client_state::takes_new_token(const rpc::status& failed, attempts& made, bool is_watch) {
    const bool may_be_token =
        is_token_refused(failed) || (is_watch && failed.code() == rpc::status_code::permission_denied);
    if (options_.user().empty() || !may_be_token || !made.renews_token())
        return false;
    token_.reset();
    return true;
}

task<> client_state::prove(node& at) {
    wire::RangeRequest request;
    request.set_key(std::string(1, '\0'));
    request.set_keys_only(true);
    rpc::call_options options;
    options.metadata("hasleader", "true").timeout(options_.attempt_time());
    const etcdserverpb::kv_client through(at.channel());
    try {
        const wire::RangeResponse response = co_await through.range(request, std::move(options));
        static_cast<void>(response);
    } catch (const rpc::error& failure) {
        // A refusal is a response as well.
        if (is_passing(failure.code()))
            throw;
    }
    at.note_response();
}

task<> client_state::recover(node& at, rpc::status failed, bool may_be_processed, attempts& made,
                             time_point end) {
    if (takes_new_token(failed, made, false))
        co_return;
    if (!is_passing(failed.code())) {
        at.note_response();
        throw rpc::error(std::move(failed));
    }
    leave(at);
    const duration wait = made.next_wait();
    const time_point next = eddy::detail::deadline_after(worker::current().now(), wait);
    if ((may_be_processed && !is_unprocessed(failed)) || next >= end)
        throw rpc::error(std::move(failed));
    if (wait > duration())
        co_await sleep_until(next);
}

void client_state::run_in_background(task<> work) noexcept {
    try {
        background_.spawn(std::move(work), "etcd");
    } catch (const std::bad_alloc&) {
        // What it would have ended ends with its lease.
        return;
    }
}

}  // namespace eddy::etcd::detail
