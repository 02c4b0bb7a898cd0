#pragma once

#include "contest/sample.hpp"
#include "pq/works.hpp"

#include <eddy/runtime/runtime_options.hpp>

namespace bench {

// eddy::pq, all connections on one worker.
class eddy_player {
public:
    static sample ping(eddy::backend_kind kind, const ping_work& work);
    static sample rows(eddy::backend_kind kind, const rows_work& work);
};

}  // namespace bench
