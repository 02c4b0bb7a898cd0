#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace eddy::apps {

/// Writes a result to standard output, at once. Throws std::system_error if it cannot be written, which
/// run_program() turns into an exit status.
void print_text(std::string_view text);

/// The same with a format.
template <class... Values>
void print(fmt::format_string<Values...> text, Values&&... values) {
    print_text(fmt::format(text, std::forward<Values>(values)...));
}

/// Writes what a server says about itself to standard output, at once. A server is there to serve: what
/// cannot be written is lost, and nothing else happens.
void announce_text(std::string_view text) noexcept;

/// The same with a format.
template <class... Values>
void announce(fmt::format_string<Values...> text, Values&&... values) {
    announce_text(fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace eddy::apps
