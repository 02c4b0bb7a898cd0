#include <eddy/net/readiness.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy {

detail::awaited_readiness readable(int descriptor) noexcept {
    return {detail::worker_core::current().backend(), io::opcode::await_readable, descriptor};
}

detail::awaited_readiness writable(int descriptor) noexcept {
    return {detail::worker_core::current().backend(), io::opcode::await_writable, descriptor};
}

}  // namespace eddy
