#include "pipeline/upstream_service.hpp"

#include "common/for_each_client.hpp"
#include "pipeline/frame.hpp"
#include "pipeline/outbox.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cstddef>
#include <exception>
#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

// Questions of one connection that may wait for their responses; the next ones stay with the client.
constexpr std::size_t questions_max = 100'000;

task<> answer(outbox& answers, frame requested, duration latency) {
    co_await sleep_for(latency);
    answers.put({requested.id, requested.value + 1});
}

task<> take_questions(tcp_stream& client, outbox& answers, duration latency) {
    task_set waiting;
    frame_reader questions;
    for (;;) {
        co_await waiting.fewer_than(questions_max);
        const auto received = co_await client.read_leased();
        if (received.empty())
            throw std::system_error(std::make_error_code(std::errc::connection_reset), "upstream client");
        questions.read(received.bytes(), [&](const frame& requested) {
            waiting.spawn(answer(answers, requested, latency), "upstream answer");
        });
    }
}

task<> converse(tcp_stream client, duration latency) {
    outbox answers;
    try {
        co_await when_all(take_questions(client, answers, latency), answers.send_all(client));
    } catch (const std::exception&) {
        // The end of the connection is an error here, which ends both halves. Or memory is out.
    }
}

}  // namespace

endpoint upstream_service::open(endpoint wanted) {
    listeners_.open(wanted);
    return listeners_.where();
}

task<> upstream_service::run(signal_set& ending) {
    auto running = runtime_.run_on_each([this](std::size_t worker) { return serve_on(worker); });
    co_await ending.wait();
    for (auto& worker : running)
        co_await worker.cancel();
}

task<> upstream_service::serve_on(std::size_t worker) {
    tcp_listener listener = listeners_.take(worker);
    task_set sessions;
    const auto serve = [this, &sessions](tcp_stream client) {
        sessions.spawn(converse(std::move(client), latency_), "upstream session");
    };
    co_await for_each_client(listener, serve);
}

}  // namespace eddy::apps
