#include "server_process.hpp"

#include "log.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace todo {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t words_kept_bytes = 4096;
constexpr auto start_limit = 60s;
constexpr auto stop_limit = 15s;

/// A child, and what it says.
struct launched {
    // No aggregate: g++ 12 destroys temporaries of such twice inside a co_await expression.
    launched(eddy::child process_started, eddy::pipe_reader end)
        : process(std::move(process_started)), output(std::move(end)) {}

    eddy::child process;
    eddy::pipe_reader output;
};

eddy::task<launched> launch(eddy::command how) {
    // One pipe for standard output and error, so that only one has to be read. The writing end is closed with
    // the command, at the end of this function.
    eddy::pipe_ends ends = eddy::pipe();
    const auto writer = eddy::child_stream::pipe_end(std::move(ends.writer));
    how.input(eddy::child_stream::null()).output(writer).error(writer);
    eddy::child started = co_await how.start();
    co_return launched(std::move(started), std::move(ends.reader));
}

// Adds what comes next to the text, and forgets the oldest of it. False at the end.
eddy::task<bool> read_more(eddy::pipe_reader& from, std::string& text) {
    std::array<std::byte, 1024> arrived;
    const std::size_t count = co_await from.read(arrived);
    text += eddy::as_text(std::span(arrived).first(count));
    if (text.size() > words_kept_bytes)
        text.erase(0, text.size() - words_kept_bytes);
    co_return count != 0;
}

// The last few lines.
std::string end_of(std::string_view text) {
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    std::size_t begin = text.size();
    for (int lines = 0; lines < 3 && begin != std::string_view::npos && begin != 0; ++lines)
        begin = text.rfind('\n', begin - 1);
    return std::string(begin == std::string_view::npos ? text : text.substr(begin));
}

}  // namespace

eddy::task<std::unique_ptr<server_process>> server_process::start(std::string name, eddy::command how,
                                                                  std::string ready) {
    // A group of its own: Ctrl-C at a terminal would end it before this program is done with it.
    how.own_group().grace(5s);
    launched started = co_await launch(std::move(how));
    std::unique_ptr<server_process> made(new server_process(
        std::move(name), std::move(ready), std::move(started.process), std::move(started.output)));
    made->listening_ = eddy::spawn(made->listen(), "listens to a server");
    bool is_ready = false;
    try {
        is_ready = co_await eddy::with_timeout(made->ready_.wait(), start_limit);
    } catch (const std::system_error&) {
        // It takes too long.
    }
    if (!is_ready)
        throw std::runtime_error(made->name_ + " does not start: " + end_of(made->said_));
    co_return made;
}

eddy::task<> server_process::listen() {
    for (bool goes_on = true; goes_on;) {
        goes_on = co_await read_more(output_, said_);
        if (!ready_.is_set() && said_.find(ready_text_) != std::string::npos)
            ready_.set(true);
    }
    if (!ready_.is_set())
        ready_.set(false);
    else if (!is_stopping_)
        log_line(name_ + " has ended: " + end_of(said_));
}

eddy::task<> server_process::stop(int signal) {
    is_stopping_ = true;
    child_.send(signal);
    bool has_ended = false;
    try {
        co_await eddy::with_timeout(child_.wait(), stop_limit);
        has_ended = true;
    } catch (const std::system_error&) {
        // It takes too long.
    }
    if (has_ended)
        co_return;
    log_line(name_ + " does not end, and is killed");
    child_.kill();
    co_await child_.wait();
}

eddy::task<> run_to_end(std::string name, eddy::command how) {
    launched started = co_await launch(std::move(how));
    std::string said;
    for (bool goes_on = true; goes_on;)
        goes_on = co_await read_more(started.output, said);
    const eddy::exit_status end = co_await started.process.wait();
    if (!end.is_success())
        throw std::runtime_error(name + " has failed: " + end_of(said));
}

}  // namespace todo
