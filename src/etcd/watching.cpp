#include "etcd/watching.hpp"

#include "etcd/wire_format.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/runtime/sleep.hpp>

#include <optional>
#include <utility>

// A watch is a stream of one node. When it ends, or is silent even on request, another is made that starts behind the
// last revision seen. Whole revisions arrive in one message, so none is seen in part.
namespace eddy::etcd::detail {
namespace {

using watch_stream = rpc::client_stream<wire::WatchRequest, wire::WatchResponse>;

wire::WatchRequest creation(const key_range& what, const watch_options& options, std::int64_t start) {
    wire::WatchRequest made;
    wire::WatchCreateRequest& create = *made.mutable_create_request();
    create.set_key(what.key());
    create.set_range_end(what.range_end());
    create.set_start_revision(start);
    create.set_prev_kv(options.wants_prev_kv());
    create.set_progress_notify(true);
    return made;
}

[[noreturn]] void throw_silence() {
    throw rpc::error(rpc::status_code::unavailable, "the node is silent");
}

/// Throws rpc::error if the node is silent, or has ended the watch.
task<wire::WatchResponse> next_message(watch_stream& from, duration silence_max, duration response_time) {
    auto arrived = co_await as_result(with_timeout(from.read(), silence_max));
    if (!arrived) {
        wire::WatchRequest check;
        check.mutable_progress_request();
        // Where a write waits, nothing arrives either.
        const auto written = co_await as_result(with_timeout(from.write(check), response_time));
        if (!written)
            throw_silence();
        arrived = co_await as_result(with_timeout(from.read(), response_time));
    }
    if (!arrived)
        throw_silence();
    if (!*arrived)
        throw rpc::error(rpc::status_code::unavailable, "the node has ended the watch");
    co_return std::move(**arrived);
}

/// All keys as they are, and of when.
task<watch_response> read_state(std::shared_ptr<client_state> db, key_range what) {
    wire::RangeRequest request = to_wire(range_request(std::move(what)));
    wire::RangeResponse response =
        co_await db->call(&etcdserverpb::kv_client::range, std::move(request), repeating::always);
    watch_response made;
    made.is_state = true;
    made.revision = response.header().revision();
    for (auto& each : *response.mutable_kvs()) {
        event& added = made.events.emplace_back();
        added.kv = from_wire(std::move(each));
    }
    co_return made;
}

/// The changes from a revision on.
watch_response changes_since(std::int64_t first, wire::WatchResponse&& message) {
    watch_response made;
    for (auto& each : *message.mutable_events()) {
        if (each.kv().mod_revision() < first)
            continue;
        made.events.push_back(from_wire(std::move(each)));
        made.revision = made.events.back().kv.mod_revision;
    }
    return made;
}

/// What etcd says of a watch that it ends: a status as text, at best.
rpc::status status_of(const wire::WatchResponse& ended) {
    const std::string& reason = ended.cancel_reason();
    const bool is_refused = reason.find("permission denied") != std::string::npos ||
                            reason.find("auth token") != std::string::npos;
    return rpc::status(
        is_refused ? rpc::status_code::permission_denied : rpc::status_code::failed_precondition,
        reason.empty() ? "etcd has ended the watch" : reason);
}

}  // namespace

async_generator<watch_response> watch_keys(std::shared_ptr<client_state> db, key_range what,
                                           watch_options options) {
    attempts made = db->new_attempts();
    bool reads_state = options.begins_with_state();
    std::int64_t next = options.start_revision();
    for (;;) {
        node& at = db->current();
        rpc::status failed;
        try {
            if (reads_state) {
                watch_response state = co_await read_state(db, what);
                next = state.revision + 1;
                reads_state = false;
                co_yield std::move(state);
            }
            rpc::call_options call = co_await db->options_for(at);
            const etcdserverpb::watch_client through(at.channel());
            watch_stream stream = through.watch(std::move(call));
            const wire::WatchRequest request = creation(what, options, next);
            static_cast<void>(co_await stream.write(request));
            duration silence_max = db->options().attempt_time();
            while (!reads_state) {
                wire::WatchResponse message =
                    co_await next_message(stream, silence_max, db->options().attempt_time());
                silence_max = db->options().watch_check_time();
                if (!message.created() && !message.canceled())
                    made.reset();
                at.note_response();
                if (message.canceled() && message.compact_revision() > 0) {
                    reads_state = true;
                } else if (message.canceled()) {
                    throw rpc::error(status_of(message));
                } else if (message.created()) {
                    next = next == 0 ? message.header().revision() + 1 : next;
                } else if (message.watch_id() >= 0 && message.events_size() == 0) {
                    // All before it has arrived. Of a response to a progress request that is not certain.
                    next = std::max(next, message.header().revision() + 1);
                } else if (watch_response seen = changes_since(next, std::move(message));
                           !seen.events.empty()) {
                    next = seen.revision + 1;
                    co_yield std::move(seen);
                }
            }
            continue;
        } catch (const rpc::error& failure) {
            failed = failure.status();
        }
        if (db->takes_new_token(failed, made, true))
            continue;
        if (!is_passing(failed.code()))
            throw rpc::error(std::move(failed));
        db->leave(at);
        co_await sleep_for(made.next_wait());
    }
}

task<> wait_removed(std::shared_ptr<client_state> db, std::string key, std::int64_t create_revision,
                    std::int64_t start) {
    auto changes =
        watch_keys(std::move(db), key_range(std::move(key)), watch_options().start_revision(start));
    for (;;) {
        const auto seen = co_await changes.next();
        bool exists = !seen->is_state;
        for (const event& each : seen->events)
            exists = each.type == event::kind::put && each.kv.create_revision == create_revision;
        if (!exists)
            co_return;
    }
}

}  // namespace eddy::etcd::detail
