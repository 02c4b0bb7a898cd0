#include "http/server_state.hpp"

#include "http/connection.hpp"

#include <cstdint>

namespace eddy::http {

void server_state::renew_common_fields(std::int64_t now) {
    common_second = INT64_MIN;  // until all is there: memory may run out
    common.clear();
    if (!options.name().empty())
        common.add("Server", options.name());
    common.add("Date", dates.at(now));
    ok_beginning = "HTTP/1.1 200 OK\r\n";
    ok_beginning += common.text();
    common_second = now;
}

}  // namespace eddy::http
