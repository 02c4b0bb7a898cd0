#pragma once

#include "contest/sample.hpp"
#include "tasks/works.hpp"

namespace bench {

// Tasks alone, with awaitable.
sample asio_skynet(const skynet_work& work);
sample asio_fib(const fib_work& work);
sample asio_channel(const channel_work& work);
sample asio_await_ready(const step_work& work);
sample asio_await_yield(const step_work& work);
sample asio_await_yield_below(const step_work& work);
sample asio_await_yield_two_below(const step_work& work);
sample asio_generator(const step_work& work);

// Tasks and sockets, with functions that are called back.
sample asio_callback_fan_out(const fan_out_work& work);
sample asio_callback_requests(const request_work& work);
sample asio_callback_socket_pair(const step_work& work);

// The same with awaitable.
sample asio_coroutine_fan_out(const fan_out_work& work);
sample asio_coroutine_requests(const request_work& work);
sample asio_coroutine_socket_pair(const step_work& work);

}  // namespace bench
