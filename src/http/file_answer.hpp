#pragma once

#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/field_block.hpp>
#include <eddy/http/file_cache.hpp>
#include <eddy/http/status.hpp>

#include <memory>

namespace eddy::http {

// Answers GET and HEAD with a file that is here: conditional requests, one range, several ranges.
// `always`: fields of every answer, for those that have none of the file's own. Requires: it stays until this
// ends.
[[nodiscard]] prompt_task<> answer_cached_file(exchange& asked, file_cache::file_pointer found,
                                               const field_block& always);

// A status as a line of text.
[[nodiscard]] task<void> answer_plainly(exchange& asked, status code, const field_block& always);

}  // namespace eddy::http
