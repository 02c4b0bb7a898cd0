#pragma once

#include "contest/sample.hpp"
#include "sockets/works.hpp"

namespace bench {

// One way to do the works with Boost.Asio.
struct asio_player {
    sample (*flow)(const flow_work& work);
    sample (*threaded_flow)(const threaded_flow_work& work);
    sample (*ping_pong)(const ping_pong_work& work);
    sample (*churn)(const churn_work& work);
    sample (*burst)(const burst_work& work);
    sample (*datagrams)(const datagram_work& work);
    sample (*pipe)(const pipe_work& work);
};

extern const asio_player asio_callbacks;   // with functions that are called back
extern const asio_player asio_coroutines;  // with awaitable

}  // namespace bench
