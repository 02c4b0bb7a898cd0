#include "httpd/site_server.hpp"

#include "common/inherited.hpp"
#include "common/log.hpp"
#include "httpd/figures.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/fs/directory.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <utility>

namespace eddy::apps {

namespace {

// How often the certificates' files are looked at.
constexpr auto certificate_interval = std::chrono::seconds(2);
// How long the end waits for the last lines of the access log to be taken.
constexpr auto last_lines_limit = std::chrono::seconds(1);

}  // namespace

site_server::site_server(runtime& on, httpd_options options)
    : runtime_(on),
      options_(std::make_shared<const httpd_options>(std::move(options))),
      listeners_(on.workers()),
      shares_(on.workers()) {
    if (options_->redirects())
        redirecting_.emplace(on.workers());
    if (!options_->live_path.empty())
        live_.emplace(on);
}

endpoint site_server::open() {
    if (auto certificates = options_->tls())
        tls_.emplace(std::move(*certificates));
    options_->serving.open(listeners_);
    if (redirecting_ && !adopt_inherited(*redirecting_, redirection_socket)) {
        serving_options elsewhere = options_->serving;
        elsewhere.port = options_->redirect_port;
        redirecting_->open(elsewhere.where());
    }
    return listeners_.where();
}

task<> site_server::run() {
    handle<> watching;
    if (tls_)
        watching = spawn(watch_certificates(), "certificates");
    handle<> telling;
    if (live_)
        telling = spawn(live_->feed.run(), "live page");
    const options_pointer served = options_;
    auto running =
        runtime_.run_on_each([this, served](std::size_t worker) { return serve_on(worker, served); });
    for (auto& worker : running)
        co_await worker;
}

std::shared_ptr<site> site_server::make_site(const httpd_options& options) {
    auto made = std::make_shared<site>(options);
    if (!options.metrics_path.empty())
        made->add_page(options.metrics_path).get(options.metrics_path, [this]() -> task<http::response> {
            std::string text = co_await figures();
            co_return http::response::with(std::move(text), http::metrics_registry::content_type);
        });
    if (!options.health_path.empty())
        made->add_page(options.health_path).get(options.health_path, [this] {
            const bool is_ready = !is_draining_.load(std::memory_order_relaxed);
            return http::response::text(is_ready ? "ready\n" : "draining\n")
                .status(is_ready ? http::status::ok : http::status::service_unavailable)
                .header("Cache-Control", "no-store");
        });
    if (live_ && !options.live_path.empty())
        made->add_page(options.live_path).mount(options.live_path, live_->page);
    return made;
}

task<> site_server::serve_on(std::size_t worker, options_pointer options) {
    current_site files;
    files.set(make_site(*options));
    http::server_options how = options->server();
    if (tls_)
        how.tls(*tls_);
    http::server server(listeners_.take(worker), files, how);
    std::optional<access_log> log;
    handle<> logging;
    if (options->logs_accesses || !options->log_path.empty()) {
        log.emplace(options->log_format, options->log_path);
        logging = spawn(log->run(), "access log");
    }
    std::optional<live_counters> counters;
    std::optional<live_feed::contribution> contribution;
    if (live_) {
        counters.emplace();
        contribution.emplace(live_->feed, worker,
                             [&counters, &server] { return counters->take(server.connections()); });
    }
    if (log || counters)
        server.observe([&log, &counters](http::exchange& answered) {
            if (log)
                log->note(answered);
            if (counters)
                counters->note(answered);
        });
    shares_[worker].server = &server;
    shares_[worker].site = &files;
    shares_[worker].log = log ? &*log : nullptr;
    handle<> redirecting;
    if (redirecting_)
        redirecting = spawn(redirect_on(worker, options), "redirection");
    co_await server.run();
    co_await server.join(options->drain_limit());
    if (redirecting_)
        co_await redirecting;
    shares_[worker] = share();
    if (log) {
        log->close();
        co_await as_result(with_timeout(logging, last_lines_limit));
    }
}

task<> site_server::redirect_on(std::size_t worker, options_pointer options) {
    https_redirection elsewhere(listeners_.where().port());
    http::server server(redirecting_->take(worker), elsewhere, options->server());
    shares_[worker].redirecting = &server;
    co_await server.run();
    co_await server.join(options->drain_limit());
    shares_[worker].redirecting = nullptr;
}

task<> site_server::watch_certificates() {
    for (;;) {
        co_await sleep_for(certificate_interval);
        auto changed = co_await as_result(
            offload([](tls_context context) { return context.reload_if_changed(); }, tls_context(*tls_)));
        if (!changed)
            log("the certificates stay as they were: {}", changed.error().message());
    }
}

task<> site_server::reload(httpd_options options) {
    // What can fail comes first.
    static_cast<void>(directory::open(options.root));
    if (tls_)
        co_await offload([](tls_context context) { context.reload(); }, tls_context(*tls_));
    options_ = std::make_shared<const httpd_options>(std::move(options));
    for (std::size_t worker = 0; worker < shares_.size(); ++worker) {
        auto reported = runtime_.spawn_on(worker, reload_on(worker, options_));
        co_await reported;
    }
}

task<> site_server::reload_on(std::size_t worker, options_pointer options) {
    const share& mine = shares_[worker];
    if (mine.site != nullptr)
        mine.site->set(make_site(*options));
    if (mine.log != nullptr)
        mine.log->reopen();
    co_return;
}

task<http::server_statistics> site_server::count_on(std::size_t worker) {
    const share& mine = shares_[worker];
    co_return mine.server != nullptr ? mine.server->statistics() : http::server_statistics();
}

task<std::string> site_server::figures() {
    http::server_statistics all;
    for (std::size_t worker = 0; worker < shares_.size(); ++worker) {
        auto counted = runtime_.spawn_on(worker, count_on(worker));
        const http::server_statistics one = co_await counted;
        add_to(all, one);
    }
    co_return figures_text(all, is_draining_.load(std::memory_order_relaxed));
}

task<> site_server::drain() {
    is_draining_.store(true, std::memory_order_relaxed);
    if (options_->drain_delay() > duration::zero())
        co_await sleep_for(options_->drain_delay());
    for (std::size_t worker = 0; worker < shares_.size(); ++worker) {
        auto reported = runtime_.spawn_on(worker, drain_on(worker));
        co_await reported;
    }
}

task<> site_server::drain_on(std::size_t worker) {
    for (http::server* const one : {shares_[worker].server, shares_[worker].redirecting})
        if (one != nullptr)
            one->drain();
    co_return;
}

}  // namespace eddy::apps
