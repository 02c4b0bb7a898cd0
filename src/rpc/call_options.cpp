#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/server_call.hpp>

namespace eddy::rpc {

call_options::call_options(const server_call& served) : deadline_(served.deadline()) {
    for (const char* const name : {"traceparent", "tracestate"})
        for (const std::string_view value : served.request_metadata().find_all(name))
            metadata_.add(name, value);
}

}  // namespace eddy::rpc
