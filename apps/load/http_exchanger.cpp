#include "load/http_exchanger.hpp"

#include <eddy/http/message/status.hpp>
#include <eddy/io/buffer.hpp>

namespace eddy::apps {

http_exchanger::http_exchanger(const load_target& target, bool closes)
    : target_(target), method_(http::method_from(target.method())), closes_(closes) {}

task<> http_exchanger::exchange(load_result& counted) {
    if (!connection_) {
        connection_.emplace(co_await target_.connect());
        ++counted.connections_made;
    }
    co_await connection_->write_all(as_bytes(target_.request()));
    counted.sent_bytes += target_.request().size();
    connection_->begin(method_);
    http::status status = (co_await connection_->read_head()).status();
    while (http::is_interim(status) && status != http::status::switching_protocols)
        status = (co_await connection_->read_head()).status();
    for (auto piece = co_await connection_->read_body(); !piece.empty();
         piece = co_await connection_->read_body())
        counted.received_bytes += piece.size();
    ++counted.statuses[http::to_number(status)];
    if (closes_ || !connection_->can_go_on())
        connection_.reset();
}

}  // namespace eddy::apps
