#include "runtime/backend_factory.hpp"
#include "runtime/shuffle_seed.hpp"
#include "runtime/shuffled_order.hpp"
#include "runtime/stall_watch.hpp"
#include "runtime/start_thread.hpp"

#include <eddy/io/host.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/runtime.hpp>

#include <algorithm>
#include <barrier>
#include <exception>
#include <future>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace eddy {

namespace {

constexpr std::size_t threads_max = 16'384;

// Throws std::invalid_argument for more workers than any system has threads for.
std::size_t workers_of(const runtime_options& options) {
    if (options.workers() > threads_max)
        throw std::invalid_argument("a runtime has 16384 workers at the most");
    return options.workers() != 0 ? options.workers() : std::max<std::size_t>(io::available_cpus(), 1);
}

std::size_t offload_threads_of(const runtime_options& options) {
    const std::size_t wanted = options.offload_threads();
    return wanted != 0 ? std::min(wanted, threads_max) : std::max<std::size_t>(io::available_cpus(), 2);
}

// A spinning thread must not keep the one that it waits for from its CPU.
duration spin_max_of(const runtime_options& options) {
    const std::size_t cpus = io::available_cpus();
    return cpus > 1 && workers_of(options) <= cpus ? options.spin_max() : duration::zero();
}

/// Keeps the calling thread on some CPUs while it lives.
class cpu_stay {
public:
    explicit cpu_stay(std::span<const unsigned> cpus) : before_(io::cpus_of_this_thread()) {
        io::move_this_thread(cpus);
    }
    cpu_stay(const cpu_stay&) = delete;
    cpu_stay& operator=(const cpu_stay&) = delete;
    ~cpu_stay() {
        try {
            io::move_this_thread(before_);
        } catch (...) {  // the system has taken them away meanwhile
        }
    }

private:
    std::vector<unsigned> before_;
};

/// Makes a worker leave its loop.
struct stop_message : detail::inbox_item {
    stop_message() noexcept : inbox_item(&received) {}
    static void received(inbox_item& item, bool) noexcept {
        static_cast<stop_message&>(item).has_come = true;
    }
    bool has_come = false;  // the receiver's
};

}  // namespace

// The steps of a runtime's end. The thread that made it is worker 0.
//
// 0. The stall watch ends, so that no thread interrupts workers any more.
// 1. Worker 0 sends `stop` to the others. Every worker leaves its loop, drops its tasks and drains its
//    backend. From here on no worker sleeps, so none is woken any more, except by a wake-up already under
//    way.
// 2. When all have done so (first phase of the barrier), worker 0 ends the offload pool, whose threads were
//    the last that could be about to wake a worker.
// 3. When that is done (second phase), each destroys its backend on its own thread, as io_uring requires.
// 4. Worker 0 joins the threads and frees the messages that were not received.
struct runtime::threads {
    threads(const runtime_options& options, io::blocking_executor& blocking)
        : factory(options.backend(), options.io(), workers_of(options), blocking, options.change_system()),
          turn_budget(std::max<std::size_t>(options.turn_budget(), 1)),
          spin_max(spin_max_of(options)),
          name(options.thread_name()),
          cpus(options.are_workers_pinned() && options.cpus().empty() ? io::cpus_of_this_thread()
                                                                      : options.cpus()),
          shuffle_seed(detail::shuffle_seed(options.shuffle_seed())),
          ends(static_cast<std::ptrdiff_t>(workers_of(options))),
          stops(workers_of(options)) {
        if (options.stall_threshold() > duration::zero())
            stalls.emplace(options.stall_threshold(), options.on_stall(), stops.size());
        maker_is_watched.emplace(watch(), 0);
    }

    /// The stall watch, or null.
    [[nodiscard]] detail::stall_watch* watch() noexcept { return stalls ? &*stalls : nullptr; }
    void start_watch(const std::vector<std::unique_ptr<worker>>& workers) {
        if (!stalls)
            return;
        for (const auto& each : workers)
            stalls->watch(each->index(), each->loop());
        stalls->start();
    }

    /// Makes a worker of the calling thread's.
    std::unique_ptr<worker> make_worker(runtime& owner, std::size_t index) {
        if (!cpus.empty() && index == 0)
            stay_of_first.emplace(std::span(cpus).first(1));
        else if (!cpus.empty())
            io::move_this_thread(std::span(cpus).subspan(index % cpus.size(), 1));
        const std::uint64_t seed = detail::shuffle_seed_of(index, shuffle_seed);
        auto order = seed != 0 ? std::make_unique<detail::shuffled_order>(seed) : nullptr;
        // NOLINTNEXTLINE(modernize-make-unique): its constructor is private
        return std::unique_ptr<worker>(
            new worker(owner, index, factory.make(seed), turn_budget, spin_max, std::move(order)));
    }

    void end_worker(detail::worker_core& ended, offload_pool* pool) noexcept {
        ended.shut_down();
        ends.arrive_and_wait();
        if (pool != nullptr) {
            ended.owner().shared_functions_.clear();
            pool->stop();
        }
        ends.arrive_and_wait();
        ended.close_backend();
    }

    detail::backend_factory factory;
    std::size_t turn_budget;
    duration spin_max;
    std::string name;
    std::vector<unsigned> cpus;  // empty: any CPU
    std::optional<cpu_stay> stay_of_first;
    std::uint64_t shuffle_seed;
    std::barrier<> ends;
    std::vector<stop_message> stops;
    std::vector<std::thread> running;
    std::optional<detail::stall_watch> stalls;
    std::optional<detail::stall_watch::presence> maker_is_watched;  // worker 0
};

runtime::runtime(const runtime_options& options)
    : offload_pool_(offload_threads_of(options), options.offload_long_threads_max(),
                    std::max<std::size_t>(options.offload_queue_max(), 1)),
      placement_(options.placement()),
      idle_workers_(workers_of(options), io::available_cpus()) {
    try {
        start(options);
    } catch (const detail::ring_refused&) {
        // All workers have backends of one kind.
        workers_.clear();
        threads_.reset();
        start(runtime_options(options).backend(backend_kind::epoll));
    }
}

void runtime::start(const runtime_options& options) {
    threads_ = std::make_unique<threads>(options, offload_pool_);
    const std::size_t count = threads_->stops.size();
    workers_.resize(count);
    workers_[0] = threads_->make_worker(*this, 0);

    std::exception_ptr failure;
    std::size_t failed = 0;
    const io::signals_blocked no_signals;
    for (std::size_t index = 1; index < count; ++index) {
        // One after the other: the first failure ends the start, and `workers_` needs no lock.
        std::promise<void> started;
        auto has_started = started.get_future();
        try {
            threads_->running.push_back(detail::start_thread("a worker", [this, index, &started] {
                io::name_this_thread((threads_->name + "-" + std::to_string(index)).c_str());
                std::optional<detail::stall_watch::presence> is_watched;
                try {
                    is_watched.emplace(threads_->watch(), index);
                    workers_[index] = threads_->make_worker(*this, index);
                } catch (...) {
                    started.set_exception(std::current_exception());
                    return;
                }
                started.set_value();
                detail::worker_core& self = *workers_[index];
                const detail::worker_core::enter_guard here(self);
                self.run_until([&] { return threads_->stops[index].has_come; });
                threads_->end_worker(self, nullptr);
            }));
            has_started.get();
        } catch (...) {
            failure = std::current_exception();
            failed = index;
            break;
        }
    }
    if (!failure) {
        try {
            threads_->start_watch(workers_);
            return;
        } catch (...) {
            failure = std::current_exception();
            failed = count;
        }
    }
    // The workers that never came do not take part in the end.
    for (std::size_t index = failed; index < count; ++index)
        threads_->ends.arrive_and_drop();
    workers_.resize(failed);
    // Nothing was offloaded yet.
    end(nullptr);
    std::rethrow_exception(failure);
}

runtime::~runtime() {
    if (!workers_[0]->is_on_its_thread())
        detail::fatal("a runtime is destroyed on a thread that has not made it");
    end(&offload_pool_);
}

void runtime::end(offload_pool* pool) noexcept {
    if (threads_->stalls)
        threads_->stalls->stop();
    const detail::worker_core::enter_guard here(*workers_[0]);
    for (std::size_t index = 1; index < workers_.size(); ++index)
        workers_[index]->post(threads_->stops[index]);
    threads_->end_worker(*workers_[0], pool);
    for (auto& thread : threads_->running)
        thread.join();
    bool any = true;
    while (any) {
        any = false;
        for (auto& ended : workers_)
            any |= ended->discard_inbox();
    }
}

// While it lives, workers report when they have nothing left to do.
class runtime::watch {
public:
    explicit watch(runtime& watched) noexcept : here_(*watched.workers_[0]), watched_(watched) {
        watched_.is_watched_.store(true);
    }
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch() {
        watched_.leave_worker_0();
        watched_.is_watched_.store(false);
        watched_.is_stopping_.store(false, std::memory_order_relaxed);
    }

    [[nodiscard]] bool is_over() const noexcept {
        // A worker that goes idle after this reports again.
        if (watched_.is_rest_noted_.load(std::memory_order_relaxed))
            watched_.is_rest_noted_.exchange(false);
        return watched_.is_stopping() || watched_.has_ended();
    }

private:
    detail::worker_core::enter_guard here_;
    runtime& watched_;
};

void runtime::note_rest() noexcept {
    if (is_watched_.load() && detail::worker_core::current_or_null() != workers_[0].get() &&
        !is_rest_noted_.exchange(true))
        workers_[0]->unpark();
}

// Nothing can come about any more when there was a moment at which every worker had nothing to do and had
// been sent nothing. There was one between two looks at each if none of them has been awake in between; and
// what they have sent to this one would be here.
bool runtime::has_ended() const noexcept {
    const auto all_rest = [this](std::uint64_t& rests) {
        rests = 0;
        for (std::size_t index = 1; index < workers_.size(); ++index) {
            if (!workers_[index]->is_asleep())
                return false;
            const std::uint64_t rest = workers_[index]->rest();
            if (rest % 2 == 0)
                return false;
            rests += rest;
        }
        return true;
    };
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    return workers_[0]->is_done() && all_rest(first) && !has_shared_functions() && workers_[0]->is_done() &&
           all_rest(second) && first == second;
}

void runtime::run() {
    const watch watched(*this);
    workers_[0]->run_until([&] { return watched.is_over(); });
}

bool runtime::run_one() {
    const watch watched(*this);
    while (!is_stopping()) {
        if (workers_[0]->run_one())
            return true;
        if (watched.is_over())
            return false;
        workers_[0]->wait_for_work(std::nullopt);
    }
    return false;
}

std::size_t runtime::run_for(duration length) {
    const watch watched(*this);
    detail::worker_core& own = *workers_[0];
    const time_point deadline = detail::deadline_after(own.now(), length);
    std::size_t done = 0;
    while (!watched.is_over()) {
        done += own.poll(1);
        const time_point now = own.now();
        if (now >= deadline)
            break;
        if (!own.has_work() && !watched.is_over())
            own.wait_for_work(deadline - now);
    }
    return done;
}

std::size_t runtime::poll(std::size_t budget) {
    const detail::worker_core::enter_guard here(*workers_[0]);
    const std::size_t done = workers_[0]->poll(budget);
    leave_worker_0();
    return done;
}

void runtime::stop() noexcept {
    is_stopping_.store(true, std::memory_order_relaxed);
    workers_[0]->unpark();
}

void runtime::end_stopped() {
    is_stopping_.store(false, std::memory_order_relaxed);
    throw std::system_error(std::make_error_code(std::errc::operation_canceled), "the runtime was stopped");
}

std::optional<duration> runtime::wait_time() noexcept {
    detail::worker_core& own = *workers_[0];
    return own.has_work() || !own.is_asleep() ? duration::zero() : own.idle_time();
}

void runtime::wake_one(bool is_more_taken) noexcept {
    auto chosen = idle_workers_.choose([this] { return shared_functions_.count(); });
    if (!chosen && (is_more_taken || has_shared_functions()))
        chosen = idle_workers_.choose_watcher();
    if (chosen)
        workers_[*chosen]->call();
}

// Called by one worker at a time, the one that watches.
duration runtime::look_at_shares(time_point now) noexcept {
    constexpr duration interval = std::chrono::milliseconds(1);
    if (now < next_look_)
        return next_look_ - now;
    next_look_ = now + interval;
    bool is_any_held = false;
    for (const auto& each : workers_) {
        const auto released = each->share().release_if_held(shared_functions_);
        is_any_held |= released.is_held;
        if (released.expected) {
            idle_workers_.expect(0, *released.expected);
            idle_workers_.stop_searching();
        }
    }
    return is_any_held && has_shared_functions() ? duration::zero() : interval;
}

void runtime::leave_worker_0() noexcept {
    workers_[0]->leave_shared_functions();
    wake_one(false);
}

std::size_t runtime::choose_worker() noexcept {
    const std::size_t first = next_placed_.fetch_add(1, std::memory_order_relaxed) % workers_.size();
    if (placement_ == placement::round_robin)
        return first;
    std::size_t chosen = first;
    for (std::size_t step = 1; step < workers_.size(); ++step) {
        const std::size_t index = (first + step) % workers_.size();
        if (workers_[index]->load() < workers_[chosen]->load())
            chosen = index;
    }
    return chosen;
}

std::string_view runtime::backend_name() const noexcept {
    return to_string(threads_->factory.kind());
}

}  // namespace eddy
