#pragma once

#include "contest/sample.hpp"
#include "sockets/works.hpp"

// An event loop on epoll, edge-triggered, written by hand.
namespace bench::raw_epoll {

sample flow(const flow_work& work);
sample threaded_flow(const threaded_flow_work& work);
sample ping_pong(const ping_pong_work& work);

}  // namespace bench::raw_epoll
