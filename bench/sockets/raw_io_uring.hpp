#pragma once

#include "contest/sample.hpp"
#include "sockets/works.hpp"

// An event loop on liburing, written by hand: all that can go at once goes into one entry to the kernel.
namespace bench::raw_io_uring {

sample flow(const flow_work& work);
sample ping_pong(const ping_pong_work& work);

}  // namespace bench::raw_io_uring
