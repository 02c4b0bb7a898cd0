#pragma once

#include "contest/sample.hpp"
#include "tasks/works.hpp"

#include <eddy/runtime/runtime_options.hpp>

namespace bench {

// Tasks alone. Which backend lies below makes no difference to them.
sample eddy_skynet(const skynet_work& work);
sample eddy_fib(const fib_work& work);
sample eddy_channel(const channel_work& work);
sample eddy_await_ready(const step_work& work);
sample eddy_await_yield(const step_work& work);
sample eddy_await_yield_below(const step_work& work);
sample eddy_await_yield_two_below(const step_work& work);
sample eddy_generator(const step_work& work);

// Tasks and sockets, on one of the backends.
class eddy_socket_tasks {
public:
    explicit eddy_socket_tasks(eddy::backend_kind kind) : kind_(kind) {}

    sample fan_out(const fan_out_work& work) const;
    sample requests(const request_work& work) const;
    sample socket_pair(const step_work& work) const;

private:
    eddy::backend_kind kind_;
};

}  // namespace bench
