#include "memcached/server.hpp"

#include "common/for_each_client.hpp"
#include "common/inherited.hpp"
#include "common/log.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/worker.hpp>

#include <new>
#include <utility>

namespace eddy::apps::memcached {

namespace {

constexpr std::string_view too_many = "ERROR Too many open connections\r\n";

// A connection is counted as long as this lives.
class connection_count {
public:
    connection_count(std::atomic<std::size_t>& open, counters& counted) noexcept
        : open_(open), counted_(counted) {
        counted_.add(count::total_connections);
    }
    connection_count(const connection_count&) = delete;
    connection_count& operator=(const connection_count&) = delete;
    ~connection_count() {
        open_.fetch_sub(1, std::memory_order_relaxed);
        counted_.add(count::closed_connections);
    }

private:
    std::atomic<std::size_t>& open_;
    counters& counted_;
};

}  // namespace

server::server(runtime& on, const options& requested)
    : runtime_(on),
      options_(requested),
      store_(requested.store(on.workers()), worker::current().turn_time()),
      counted_(on.workers()),
      verbosity_(static_cast<std::uint32_t>(requested.verbosity)),
      places_(on.workers()) {}

// The local listener first: it is this worker's own, so nothing is left behind if the rest fails.
task<> server::open() {
    if (!options_.unix_path.empty())
        local_.emplace(local_listener::bind(local_endpoint::path(options_.unix_path),
                                            local_listen_options().mode(options_.unix_mode)));
    const bool is_inherited = has_inherited_socket();
    if (const auto wanted = options_.where(); wanted || is_inherited) {
        listeners_.emplace(runtime_.workers());
        if (is_inherited)
            adopt_inherited(*listeners_);
        else
            listeners_->open(*wanted);
        where_ = listeners_->where();
    }
    told_settings reported;
    reported.connections_max = options_.connections_max;
    reported.port = where_ ? where_->port() : std::uint16_t{0};
    reported.address = options_.address;
    reported.unix_path = options_.unix_path;
    reported.workers = runtime_.workers();
    reported.line_bytes_max = options_.line_bytes_max;
    reported.forbids_flush = options_.forbids_flush;
    reported.unix_mode = options_.unix_mode;
    reported.backend = runtime_.backend_name();
    statistics_.emplace(store_, counted_, std::move(reported));
    co_await on_each(&server::open_on);
}

task<> server::close() {
    co_await on_each(&server::close_on);
}

std::string server::where() const {
    std::string reported = where_ ? where_->to_string() : std::string();
    if (!options_.unix_path.empty())
        reported += (reported.empty() ? "" : " and ") + options_.unix_path;
    return reported;
}

task<> server::on_each(step taken) {
    for (std::size_t worker = 0; worker < places_.size(); ++worker)
        co_await on(worker, taken, this, worker);
}

void server::open_on(std::size_t worker) {
    place& here = places_[worker];
    here.setting = std::make_unique<conversation_setting>(store_, counted_[worker], *statistics_, verbosity_,
                                                          options_.line_bytes_max, options_.forbids_flush);
    here.tasks.emplace();
    if (listeners_)
        here.tasks->spawn(accept_tcp(listeners_->take(worker), worker), "accept");
    if (worker == 0 && local_)
        here.tasks->spawn(accept_local(std::move(*local_)), "accept local");
}

void server::close_on(std::size_t worker) {
    places_[worker].tasks.reset();
}

task<> server::accept_tcp(tcp_listener listener, std::size_t worker) {
    const auto serve = [this, worker](tcp_stream client) {
        places_[worker].tasks->spawn(serve_one(std::move(client), worker), "client");
    };
    co_await for_each_client(listener, serve);
}

// Workers take turns.
task<> server::accept_local(local_listener listener) {
    std::size_t turn = 0;
    const auto serve = [this, &turn](local_stream client) {
        const std::size_t worker = turn++ % places_.size();
        if (worker == 0)
            places_[0].tasks->spawn(serve_one(std::move(client), 0), "client");
        else
            runtime_.spawn_on(worker, adopt(client.release(), worker)).detach();
    };
    co_await for_each_client(listener, serve);
}

task<> server::adopt(io::plain_descriptor client, std::size_t worker) {
    try {
        if (places_[worker].tasks)
            places_[worker].tasks->spawn(serve_one(local_stream(client.release()), worker), "client");
    } catch (const std::bad_alloc&) {
        // It is hung up on.
    }
    co_return;
}

template <class Stream>
task<> server::serve_one(Stream client, std::size_t worker) {
    place& here = places_[worker];
    const bool has_room =
        open_connections_.fetch_add(1, std::memory_order_relaxed) < options_.connections_max;
    const connection_count counted(open_connections_, counted_[worker]);
    tell(has_room ? "a client connects" : "a client is turned away", worker);
    if (has_room) {
        co_await serve_client(std::move(client), *here.setting, here.answers);
        tell("a client leaves", worker);
        co_return;
    }
    counted_[worker].add(count::rejected_connections);
    const auto sent = co_await as_result(client.write_all(as_bytes(too_many)));
    static_cast<void>(sent);
}

void server::tell(std::string_view what, std::size_t worker) const {
    if (verbosity_.load(std::memory_order_relaxed) != 0)
        apps::log("worker {}: {}", worker, what);
}

}  // namespace eddy::apps::memcached
