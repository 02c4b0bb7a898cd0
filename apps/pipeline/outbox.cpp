#include "pipeline/outbox.hpp"

#include <eddy/io/buffer.hpp>

#include <utility>

namespace eddy::apps {

task<> outbox::send_all(tcp_stream& to) {
    for (;;) {
        while (!waiting_.empty()) {
            leaving_.clear();
            std::swap(waiting_, leaving_);
            co_await to.write_all(as_bytes(leaving_));
        }
        co_await has_come_.wait();
    }
}

}  // namespace eddy::apps
