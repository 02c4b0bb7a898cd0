#include "http/server/server_state.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

server_state::server_state(std::optional<tcp_listener> taken, request_handler& answering,
                           server_options chosen)
    : listener(std::move(taken)),
      handler(answering),
      options(std::move(chosen)),
      home(eddy::detail::worker_core::current()) {
    home.spare().add(spare_requests);
    if (options.protocol() != nullptr)
        protocol = options.protocol()->make(*this);
}

server_state::~server_state() = default;

void server_state::renew_common_fields(std::int64_t now) {
    common_second = INT64_MIN;  // until all is there: memory may run out
    common.clear();
    if (!options.name().empty())
        common.add("Server", options.name());
    common.add("Date", dates.at(now));
    // What a writer makes of it, without its end.
    constexpr std::size_t status_line_max = 64;
    constexpr std::string_view end = "\r\n";
    std::string head(status_line_max + common.text().size() + end.size(), '\0');
    const auto written = response_head_writer(head, status::ok).fields(common).finish();
    ok_beginning = written.value().substr(0, written->size() - end.size());
    common_second = now;
}

}  // namespace eddy::http
