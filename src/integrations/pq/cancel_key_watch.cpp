#include "cancel_key_watch.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <new>

namespace eddy::pq::detail {
namespace {

constexpr std::size_t line_size_max = 256;  // of what is looked at; the key's line has some fifty characters

ssize_t write_to_watch(void* watch, const char* text, std::size_t size) {
    try {
        static_cast<cancel_key_watch*>(watch)->append(std::string_view(text, size));
        return static_cast<ssize_t>(size);
    } catch (const std::bad_alloc&) {
        return 0;
    }
}

std::optional<std::int32_t> take_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::int32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

}  // namespace

cancel_key_watch::cancel_key_watch(PGconn& watched) : watched_(watched) {
    line_.reserve(line_size_max);
    cookie_io_functions_t functions{};
    functions.write = &write_to_watch;
    file_.reset(::fopencookie(this, "w", functions));
    if (file_ == nullptr)
        throw std::bad_alloc();
    PQtrace(&watched_, file_.get());
    PQsetTraceFlags(&watched_, PQTRACE_SUPPRESS_TIMESTAMPS);
}

cancel_key_watch::~cancel_key_watch() {
    PQuntrace(&watched_);
}

void cancel_key_watch::append(std::string_view text) {
    for (const char character : text) {
        if (character == '\n') {
            look_at_line();
            line_.clear();
        } else if (line_.size() < line_size_max) {
            line_ += character;
        }
    }
}

// B, the message's size, its name, the process and the secret, separated by tabs and spaces.
void cancel_key_watch::look_at_line() {
    constexpr std::string_view name = "\tBackendKeyData\t";
    const std::size_t found = line_.find(name);
    if (!line_.starts_with("B\t") || found == std::string::npos)
        return;
    std::string_view numbers = std::string_view(line_).substr(found + name.size());
    const auto process = take_number(numbers);
    const auto secret = take_number(numbers);
    if (process && secret)
        key_ = cancel_key(*process, *secret);
}

}  // namespace eddy::pq::detail
