#pragma once

#include <eddy/detail/build.hpp>

#include <string_view>

namespace eddy::io {

/// Writes text to standard error. Returns whether all of it was written.
///
/// What cannot be written is lost, and nothing else happens: where the descriptor is closed, the disk full or
/// the reader gone, it raises no SIGPIPE and throws nothing. A reader that does not keep up is waited for
/// once, for a tenth of a second; after that text is lost until the reader takes something again. Up to 4,096
/// bytes (PIPE_BUF) reach a pipe in one piece.
///
/// Thread safety: any thread may call it, at any time. Allocates nothing.
bool write_standard_error(std::string_view text) noexcept;

/// Opens those of the descriptors 0 to 2 that are closed to /dev/null, so that no file or socket which is
/// opened later becomes standard input, output or error. Requires: called before the program opens anything.
void open_standard_descriptors() noexcept;

}  // namespace eddy::io
