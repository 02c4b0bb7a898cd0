#include "pipeline/upstream_client.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/runtime/repeat.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/event.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

using namespace std::chrono_literals;

constexpr duration first_pause = 10ms;
constexpr duration longest_pause = 500ms;
constexpr int looks_per_timeout = 16;

}  // namespace

upstream_client::upstream_client(const upstream_options& options) : options_(options) {
    slots_.reserve(options.calls_max);
    free_slots_.reserve(options.calls_max);
    running_.spawn(keep_connected(), "upstream connection");
    running_.spawn(repeat(options.timeout / looks_per_timeout, [this] { fail_late(); }),
                   "upstream deadlines");
}

upstream_client::~upstream_client() {
    running_.cancel();
    is_away_ = true;
    fail_all(std::make_error_code(std::errc::operation_canceled));
}

/// A call that is forgotten when its task does not wait for it any more.
class upstream_client::claim {
public:
    claim(upstream_client& requested, std::uint64_t id) noexcept : requested_(requested), id_(id) {}
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;
    ~claim() { requested_.forget(id_); }

private:
    upstream_client& requested_;
    std::uint64_t id_;
};

task<upstream_result> upstream_client::call(std::uint64_t value) {
    event<upstream_result> answered;
    upstream_continuation next = [&answered](upstream_result result) { answered.set(std::move(result)); };
    const auto begun = begin(value, next);
    if (!begun)
        co_return std::unexpected(begun.error());
    const claim ours(*this, *begun);
    co_return co_await answered.wait();
}

void upstream_client::call(std::uint64_t value, upstream_continuation next) {
    if (const auto begun = begin(value, next); !begun)
        next(std::unexpected(begun.error()));
}

std::expected<std::uint64_t, std::error_code> upstream_client::begin(std::uint64_t value,
                                                                     upstream_continuation& next) {
    if (is_away_)
        return std::unexpected(std::make_error_code(std::errc::not_connected));
    if (free_slots_.empty()) {
        if (slots_.size() == options_.calls_max)
            return std::unexpected(std::make_error_code(std::errc::resource_unavailable_try_again));
        slots_.emplace_back();
        free_slots_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t index = free_slots_.back();
    slot& taken = slots_[index];
    const std::uint64_t id = std::uint64_t{taken.generation} << 32 | index;
    questions_.put({id, value});
    free_slots_.pop_back();
    taken.waiting = std::move(next);
    taken.asked_at = worker::current().turn_time();
    return id;
}

void upstream_client::forget(std::uint64_t id) noexcept {
    if (slot* const forgotten = find(id)) {
        forgotten->waiting = {};
        ++forgotten->generation;
        free_slots_.push_back(static_cast<std::uint32_t>(id));
    }
}

void upstream_client::finish(std::size_t index, upstream_result result) noexcept {
    slot& finished = slots_[index];
    upstream_continuation next = std::exchange(finished.waiting, {});
    ++finished.generation;
    free_slots_.push_back(static_cast<std::uint32_t>(index));
    next(std::move(result));
}

upstream_client::slot* upstream_client::find(std::uint64_t id) noexcept {
    const auto index = static_cast<std::uint32_t>(id);
    if (index >= slots_.size() || slots_[index].generation != id >> 32 || !slots_[index].waiting)
        return nullptr;
    return &slots_[index];
}

void upstream_client::take_answer(const frame& answer) noexcept {
    if (find(answer.id) != nullptr)
        finish(static_cast<std::uint32_t>(answer.id), answer.value);
}

void upstream_client::fail_all(std::error_code why) noexcept {
    questions_.clear();
    for (std::size_t index = 0; index < slots_.size(); ++index)
        if (slots_[index].waiting)
            finish(index, std::unexpected(why));
}

void upstream_client::fail_late() noexcept {
    const time_point now = worker::current().turn_time();
    for (std::size_t index = 0; index < slots_.size(); ++index)
        if (slots_[index].waiting && now - slots_[index].asked_at >= options_.timeout)
            finish(index, std::unexpected(std::make_error_code(std::errc::timed_out)));
}

task<> upstream_client::keep_connected() {
    for (duration pause = first_pause;; pause = std::min(2 * pause, longest_pause)) {
        is_away_ = false;
        auto connected =
            co_await as_result(with_timeout(tcp_stream::connect(options_.where), options_.timeout));
        std::error_code why;
        if (connected) {
            pause = first_pause;
            why = (co_await as_result(exchange_frames(std::move(*connected)))).error();
        } else {
            why = std::make_error_code(std::errc::not_connected);
        }
        is_away_ = true;
        fail_all(why);
        co_await sleep_for(pause);
    }
}

task<> upstream_client::exchange_frames(tcp_stream connection) {
    co_await when_all(take_answers(connection), questions_.send_all(connection));
}

task<> upstream_client::take_answers(tcp_stream& connection) {
    frame_reader answers;
    for (;;) {
        const auto received = co_await connection.read_leased();
        if (received.empty())
            throw std::system_error(std::make_error_code(std::errc::connection_reset), "upstream service");
        answers.read(received.bytes(), [this](const frame& answer) { take_answer(answer); });
    }
}

}  // namespace eddy::apps
