#include "net/local_connect.hpp"

#include "io/retry_pace.hpp"
#include "net/local_binding.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cerrno>

namespace eddy::detail {

task<owned_descriptor> connect_local_socket(io::socket_kind kind, local_endpoint to) {
    owned_descriptor socket = open_local_socket(kind);
    retry_pace pace;
    for (;;) {
        const int result = socket.backend().system().sockets->connect_local(socket.get(), to);
        if (result >= 0)
            co_return socket;
        if (result != -EAGAIN)
            throw std::system_error(io::error_of(result), "cannot connect to " + to.to_string());
        co_await sleep_for(pace.next());
    }
}

}  // namespace eddy::detail
