#include "runtime/stall_watch.hpp"

#include "runtime/start_thread.hpp"

#include <eddy/io/host.hpp>
#include <eddy/io/standard_error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <source_location>
#include <utility>

namespace eddy::detail {

namespace {

constexpr int looks_per_threshold = 4;
constexpr duration interval_min = std::chrono::milliseconds(1);
constexpr duration answer_time_max = std::chrono::seconds(1);

void print(const stall_report& report) {
    io::write_standard_error(to_string(report));
}

/// The question to the interrupted worker: whether it is still at the same piece of work, and the name of the
/// task. The name may later be destroyed with the task, so it is copied.
struct inquiry {
    const resume_loop& loop;
    std::uint64_t piece;
    std::array<char, 64> name{};
    std::source_location spawned{};

    static bool ask(void* argument) noexcept {
        auto& self = *static_cast<inquiry*>(argument);
        if (self.loop.work().piece() != self.piece)
            return false;
        const char* const running = self.loop.running_name();
        if (const job* const task = self.loop.running(); task != nullptr)
            self.spawned = task->origin().where();
        for (std::size_t at = 0; running != nullptr && running[at] != '\0' && at + 1 < self.name.size(); ++at)
            self.name[at] = running[at];
        return true;
    }
};

}  // namespace

stall_watch::stall_watch(duration threshold, stall_handler handler, std::size_t workers)
    : threshold_(threshold),
      reported_(handler ? std::move(handler) : stall_handler(&print)),
      watched_(workers) {}

stall_watch::presence::presence(stall_watch* watching, std::size_t worker)
    : watch_(watching), worker_(worker) {
    if (watch_ != nullptr)
        watch_->watched_[worker].probe.emplace();
}

stall_watch::presence::~presence() {
    if (watch_ != nullptr)
        watch_->watched_[worker_].probe.reset();
}

void stall_watch::start() {
    thread_ = start_thread("the detector of stalls", [this] {
        io::name_this_thread("eddy-stalls");
        run();
    });
}

void stall_watch::stop() noexcept {
    if (!thread_.joinable())
        return;
    {
        const std::lock_guard guard(mutex_);
        is_ended_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void stall_watch::run() noexcept {
    const duration interval = std::max(threshold_ / looks_per_threshold, interval_min);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, interval, [this] { return is_ended_; })) {
        lock.unlock();
        for (watched& each : watched_)
            look_at(each);
        lock.lock();
    }
}

// The clock is read before the last look and after the first one.
void stall_watch::look_at(watched& worker) {
    const time_point now = clock::now();
    const std::uint64_t piece = worker.loop->work().piece();
    if (piece != worker.piece) {
        worker.piece = piece;
        worker.since = clock::now();
        worker.is_notified = false;
        return;
    }
    if (piece == 0 || worker.is_notified || now - worker.since < threshold_)
        return;
    worker.is_notified = true;
    try {
        report(worker, now - worker.since);
    } catch (const std::bad_alloc&) {
        // The stall is not reported.
    }
}

void stall_watch::report(watched& worker, duration lasted) {
    inquiry requested{*worker.loop, worker.piece};
    const auto outcome = worker.probe->capture(&inquiry::ask, &requested, answer_time_max, stack_);
    const bool is_captured = outcome == io::stack_probe::outcome::captured;
    // It has gone on: too late to say by what it was held.
    if (!is_captured && worker.loop->work().piece() != worker.piece)
        return;
    stall_report report;
    report.worker = static_cast<std::size_t>(&worker - watched_.data());
    report.task = requested.name.data();
    report.spawned = requested.spawned;
    report.lasted = lasted;
    if (is_captured)
        report.backtrace = io::symbolised(stack_);
    reported_(report);
}

}  // namespace eddy::detail
