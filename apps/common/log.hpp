#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace eddy::apps {

/// Names the program in what it logs. Requires: called once, before there are threads.
void set_log_name(std::string_view name);

/// Writes "PROGRAM: text" as one line to standard error. What cannot be written is lost, and nothing else
/// happens (io::write_standard_error). Thread safety: any thread may call it.
void log_line(std::string_view text) noexcept;

/// The same with a format.
template <class... Values>
void log(fmt::format_string<Values...> text, Values&&... values) noexcept {
    try {
        log_line(fmt::format(text, std::forward<Values>(values)...));
    } catch (...) {
        log_line("a line was lost, since memory is short");
    }
}

}  // namespace eddy::apps
