#pragma once

// Everything that a program of eddy's needs at once. Each header stands alone as well.

#include <eddy/base/clock.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/run.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
