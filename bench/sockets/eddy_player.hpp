#pragma once

#include "contest/sample.hpp"
#include "sockets/works.hpp"

#include <eddy/runtime/runtime_options.hpp>

namespace bench {

// What a user of eddy's would write, on one of its backends.
class eddy_player {
public:
    explicit eddy_player(eddy::backend_kind kind) : kind_(kind) {}

    sample flow(const flow_work& work) const;
    sample threaded_flow(const threaded_flow_work& work) const;
    sample ping_pong(const ping_pong_work& work) const;
    sample churn(const churn_work& work) const;
    sample burst(const burst_work& work) const;
    sample datagrams(const datagram_work& work) const;
    sample datagram_batches(const datagram_work& work) const;
    sample pipe(const pipe_work& work) const;

private:
    eddy::backend_kind kind_;
};

}  // namespace bench
