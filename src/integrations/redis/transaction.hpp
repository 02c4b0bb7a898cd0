#pragma once

#include <eddy/integrations/redis/reply.hpp>
#include <eddy/integrations/redis/request.hpp>

#include <vector>

namespace eddy::redis::detail {

/// The commands between MULTI and EXEC.
std::vector<request> in_transaction(pipeline batch);

/// What the commands gave, from the replies to all of them: the last one's elements. Throws what
/// executor::transact() throws.
std::vector<reply> results_of_transaction(std::vector<reply> replies);

}  // namespace eddy::redis::detail
