#pragma once

#include "contest/sample.hpp"
#include "sockets/works.hpp"

// Boost.Asio with functions that are called back.
namespace bench::asio_callbacks {

sample flow(const flow_work& work);
sample ping_pong(const ping_pong_work& work);
sample churn(const churn_work& work);
sample burst(const burst_work& work);
sample datagrams(const datagram_work& work);
sample pipe(const pipe_work& work);

}  // namespace bench::asio_callbacks
