#pragma once

// What the examples in comments of public headers take from a program: see contexts.py.
#include <eddy/http/message/date.hpp>
#include <eddy/runtime/runtime.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::header_examples {

using namespace std::chrono_literals;

template <class T>
void use(T&&) {}

}  // namespace eddy::header_examples
