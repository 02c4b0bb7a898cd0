#pragma once

#include <nghttp2/nghttp2.h>

namespace eddy::http {

/// nghttp2's allocator: blocks of the thread's frame cache, so that a stream costs no call of malloc(). A
/// session belongs to a worker, and so do its blocks.
[[nodiscard]] nghttp2_mem session_memory() noexcept;

}  // namespace eddy::http
