#pragma once

#include "contest/sample.hpp"
#include "sockets/works.hpp"

// System calls in the order in which they succeed at once, and nothing else: no event loop can need less, but
// by using fewer calls.
namespace bench::raw_calls {

sample ping_pong(const ping_pong_work& work);
sample churn(const churn_work& work);
sample burst(const burst_work& work);
sample datagrams(const datagram_work& work);
sample datagram_batches(const datagram_work& work);
sample pipe(const pipe_work& work);

}  // namespace bench::raw_calls
