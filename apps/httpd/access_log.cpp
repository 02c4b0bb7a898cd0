#include "httpd/access_log.hpp"

#include <eddy/http/status.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <system_error>
#include <utility>

namespace eddy::apps {

namespace {

constexpr auto flush_interval = std::chrono::milliseconds(200);
constexpr std::size_t lines_bytes_max = 64 * 1024;

}  // namespace

access_log::access_log(http::access_log_format format, std::string path)
    : line_(format), path_(std::move(path)), file_(stdout) {
    if (path_.empty())
        return;
    file_ = std::fopen(path_.c_str(), "ae");
    if (file_ == nullptr)
        throw std::system_error(errno, std::generic_category(), "open " + path_);
}

access_log::~access_log() {
    flush();
    if (file_ != stdout)
        std::fclose(file_);
}

void access_log::reopen() noexcept {
    if (file_ == stdout)
        return;
    flush();
    if (std::FILE* const again = std::fopen(path_.c_str(), "ae")) {
        std::fclose(file_);
        file_ = again;
    }
}

void access_log::note(http::exchange& answered) {
    lines_.append(line_.write(answered, http::to_number(answered.answered_status()))).append("\n");
    if (lines_.size() >= lines_bytes_max)
        flush();
}

task<> access_log::keep_flushing() {
    for (;;) {
        co_await sleep_for(flush_interval);
        flush();
    }
}

void access_log::flush() noexcept {
    std::fwrite(lines_.data(), 1, lines_.size(), file_);
    std::fflush(file_);
    lines_.clear();
}

}  // namespace eddy::apps
