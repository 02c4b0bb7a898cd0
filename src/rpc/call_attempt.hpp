#pragma once

#include "rpc/call_exchange.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/status.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace eddy::rpc::detail {

/// One attempt of a call: a request, up to the beginning of its response, or up to its end where that comes first.
struct call_attempt : eddy::detail::in_frame_cache {
    exchange_pointer exchange;  ///< none where the attempt has ended
    std::optional<status> end;
    metadata initial;
    metadata trailing;
    rpc::compression encoding = rpc::compression::identity;  ///< of the response
    bool was_refused = false;                                ///< the server has not processed it

    /// It is the call's, whatever comes: nothing is repeated any more.
    [[nodiscard]] bool counts() const noexcept { return !end || end->is_ok(); }
    /// The call is over, in another way than the protocol has it.
    void fail(status why);
};

using attempt_pointer = std::unique_ptr<call_attempt>;

/// Awaits what sends the request. What goes wrong is the attempt's end; throws what is neither an error of HTTP nor
/// rpc::error. `keeps_metadata`: of a response that has begun; those of one that has failed are kept anyway.
[[nodiscard]] task<attempt_pointer> make_attempt(task<exchange_pointer> sending, bool keeps_metadata);

}  // namespace eddy::rpc::detail
