#include "httpd/access_log.hpp"

#include "common/log.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/message/status.hpp>

#include <climits>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

constexpr auto flush_interval = std::chrono::milliseconds(200);
constexpr auto losses_interval = std::chrono::seconds(10);
constexpr std::size_t lines_bytes_wanted = 64 * 1024;
constexpr std::size_t lines_bytes_max = 1024 * 1024;

// Whole lines from the front, as many as a pipe takes in one piece; one line at least.
std::string_view portion_of(std::string_view lines) noexcept {
    if (lines.size() <= PIPE_BUF)
        return lines;
    const std::size_t last = lines.rfind('\n', PIPE_BUF - 1);
    return lines.substr(0, 1 + (last != std::string_view::npos ? last : lines.find('\n')));
}

struct closing {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

output_stream open(const std::string& path) {
    if (path.empty())
        return standard_output();
    const std::unique_ptr<std::FILE, closing> file(std::fopen(path.c_str(), "ae"));
    if (file == nullptr)
        throw std::system_error(errno, std::generic_category(), "open " + path);
    return output_stream(::fileno(file.get()));  // which has a descriptor of its own
}

}  // namespace

access_log::access_log(http::access_log_format format, std::string path)
    : line_(format), path_(std::move(path)), out_(open(path_)) {}

access_log::~access_log() {
    lose(std::string_view(taken_).substr(written_), "it was not taken in time");
    lose(gathered_, "it was not taken in time");
    losses_reported_at_ = {};
    report_losses();
}

void access_log::note(http::exchange& answered) {
    const std::string_view line = line_.write(answered, http::to_number(answered.response_status()));
    if (gathered_.size() + line.size() >= lines_bytes_max)
        return lose("\n", "it is not taken fast enough");
    gathered_.append(line).append("\n");
    if (gathered_.size() >= lines_bytes_wanted)
        wanted_.set();
}

void access_log::reopen() noexcept {
    is_reopening_ = !path_.empty();
    wanted_.set();
}

void access_log::close() noexcept {
    is_closing_ = true;
    wanted_.set();
}

task<> access_log::run() {
    while (!is_closing_ || !gathered_.empty()) {
        if (!is_closing_)
            co_await as_result(with_timeout(wanted_.wait(), flush_interval));
        co_await write_gathered();
        if (std::exchange(is_reopening_, false))
            open_anew();
    }
}

void access_log::open_anew() noexcept {
    try {
        out_ = open(path_);
    } catch (const std::exception& error) {
        log("the access log is not opened anew: {}", error.what());
    }
}

task<> access_log::write_gathered() {
    std::swap(gathered_, taken_);
    while (written_ < taken_.size()) {
        const std::string_view portion = portion_of(std::string_view(taken_).substr(written_));
        const auto done = co_await as_result(out_.write_all(std::as_bytes(std::span(portion))));
        if (!done)
            lose(portion, done.error().message());
        written_ += portion.size();
    }
    taken_.clear();
    written_ = 0;
}

void access_log::lose(std::string_view lines, std::string_view why) noexcept {
    const auto count = static_cast<std::size_t>(std::ranges::count(lines, '\n'));
    if (count == 0)
        return;
    lost_ += count;
    lost_why_ = why;
    report_losses();
}

void access_log::report_losses() noexcept {
    const time_point now = clock::now();
    if (lost_ == 0 || now - losses_reported_at_ < losses_interval)
        return;
    log("lines of the access log were lost: {} ({})", lost_, lost_why_);
    lost_ = 0;
    losses_reported_at_ = now;
}

}  // namespace eddy::apps
