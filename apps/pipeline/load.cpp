#include "pipeline/load.hpp"

#include "common/print.hpp"
#include "pipeline/answer_reader.hpp"
#include "pipeline/process_cpu.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/ticker.hpp>

#include <fmt/format.h>

#include <charconv>
#include <deque>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

using namespace std::chrono_literals;

// The square of the number, and one more if the upstream service was called.
bool is_right(const answer_reader::answer& answer, std::uint64_t number) {
    constexpr unsigned ok = 200;
    std::uint64_t value = 0;
    const char* const end = answer.body.data() + answer.body.size();
    return answer.status == ok && std::from_chars(answer.body.data(), end, value).ec == std::errc() &&
           value - number * number <= 1;
}

double seconds(duration length) {
    return std::chrono::duration<double>(length).count();
}

}  // namespace

task<load_result> load::run() {
    co_await connect_all();
    co_await sleep_for(options_.warm_up);
    result_ = {};
    const duration cpu_before = cpu_time_of(options_.server_process);
    const time_point start = clock::now();
    handle<> telling;
    if (options_.tells_progress)
        telling = spawn(tell_progress(), "progress");
    co_await sleep_for(options_.length);
    result_.seconds = seconds(clock::now() - start);
    result_.server_cpu_us = 1e6 * seconds(cpu_time_of(options_.server_process) - cpu_before);
    result_.requests = result_.latency.size();
    asking_.cancel();
    co_return std::move(result_);
}

task<> load::connect_all() {
    for (std::size_t number = 0; number < options_.connections; ++number) {
        auto connection = co_await tcp_stream::connect(options_.where);
        asking_.spawn(ask(std::move(connection), number), "load connection");
    }
}

task<> load::ask(tcp_stream server, std::uint64_t number) {
    const std::string request = fmt::format("GET /compute?n={} HTTP/1.1\r\nHost: pipeline\r\n\r\n", number);
    answer_reader answers;
    std::deque<time_point> requested;
    std::string requests;
    std::size_t answered = options_.depth;  // as many are requested anew
    for (;;) {
        const time_point now = clock::now();
        requests.clear();
        for (std::size_t count = 0; count < answered; ++count) {
            requests += request;
            requested.push_back(now);
        }
        answered = 0;
        if (!requests.empty()) {
            const auto sent = co_await as_result(server.write_all(as_bytes(requests)));
            if (!sent)
                break;
        }
        const auto received = co_await as_result(server.read_leased());
        if (!received || received->empty())
            break;
        const time_point arrived = clock::now();
        answers.read(received->bytes(), [&](const answer_reader::answer& answer) {
            ++answered;
            if (is_right(answer, number))
                result_.latency.add(arrived - requested.front());
            else
                ++result_.errors;
            requested.pop_front();
        });
    }
    ++result_.errors;
}

task<> load::tell_progress() {
    ticker quarters(250ms);
    std::size_t before = 0;
    while (const auto now = co_await quarters.next()) {
        const std::size_t so_far = result_.latency.size();
        print("{{\"progress\": {}, \"errors\": {}}}\n", 4 * (so_far - before), result_.errors);
        before = so_far;
    }
}

}  // namespace eddy::apps
