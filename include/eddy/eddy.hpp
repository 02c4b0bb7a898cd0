#pragma once

// Everything that a program of eddy's needs at once. Each header stands alone as well.

#include <eddy/base/clock.hpp>
#include <eddy/combine/race.hpp>
#include <eddy/combine/race_ok.hpp>
#include <eddy/combine/shield.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/task_set_options.hpp>
#include <eddy/combine/wait_any.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/when_all_settled.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/async_sequence.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/elements_of.hpp>
#include <eddy/core/generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/stop_scope.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/repeat.hpp>
#include <eddy/runtime/run.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/sync_wait.hpp>
#include <eddy/runtime/ticker.hpp>
