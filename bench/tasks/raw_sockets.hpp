#pragma once

#include "contest/sample.hpp"
#include "tasks/works.hpp"

// The same over sockets with loops written by hand. Whether a parent has groups makes no difference to them.
namespace bench {

sample raw_epoll_fan_out(const fan_out_work& work);
sample raw_io_uring_fan_out(const fan_out_work& work);
sample raw_epoll_requests(const request_work& work);
sample raw_calls_socket_pair(const step_work& work);

}  // namespace bench
