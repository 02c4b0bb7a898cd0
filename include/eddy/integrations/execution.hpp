#pragma once

// Senders and receivers, as std::execution has them, beside tasks: each awaits the other.
//
// Needs an implementation of std::execution: the standard library's, or NVIDIA's stdexec (<stdexec/execution.hpp>).

#include <eddy/integrations/execution/as_sender.hpp>
#include <eddy/integrations/execution/as_task.hpp>
#include <eddy/integrations/execution/scheduler.hpp>
