#include "runtime/backend_factory.hpp"

#include <eddy/runtime/detail/current_system.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy::detail {

const io::system& current_system() noexcept {
    const worker_core* const here = worker_core::current_or_null();
    return here != nullptr ? here->system() : backend_factory::native_system();
}

}  // namespace eddy::detail
