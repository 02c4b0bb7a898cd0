#pragma once

#include "loop.hpp"
#include "support/todo.hpp"
#include "tcp.hpp"

#include <system_error>
#include <utility>

namespace lab {

/// Sends back what the client sends, until it has sent all.
inline task<> echo(stream client) {
    course::todo("step 8: echo");
    co_return;
}

/// Serves every client that connects. Does not end by itself.
inline task<> serve_echo(listener& from) {
    static_cast<void>(from);
    course::todo("step 8: serve_echo");
    co_return;
}

}  // namespace lab
