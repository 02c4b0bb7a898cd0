#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/files/file_cache.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/server/exchange.hpp>

#include <memory>

namespace eddy::http {

// Answers GET and HEAD with a file that is here: conditional requests, one range, several ranges. `always`:
// fields of every response, for those that have none of the file's own. Requires: it stays until this ends.
[[nodiscard]] ready_or_task<> respond_with_cached_file(exchange& ex, file_cache::file_pointer found,
                                                       const field_block& always);

// A status as a line of text.
[[nodiscard]] task<void> respond_plainly(exchange& ex, status code, const field_block& always);

}  // namespace eddy::http
