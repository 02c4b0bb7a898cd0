#pragma once

#include "contest/sample.hpp"
#include "pq/works.hpp"

namespace bench {

// libpq's own functions, a thread for each connection, the caller's if there is one.
class blocking_player {
public:
    static sample ping(const ping_work& work);
    static sample rows(const rows_work& work);
};

}  // namespace bench
