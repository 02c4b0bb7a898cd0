#pragma once

#include <cstddef>
#include <pthread.h>
#include <stdexcept>
#include <utility>

namespace eddy::test {

/// Calls the function on a thread with a stack of that size, and waits for it.
template <class Function>
void on_small_stack(std::size_t bytes, Function function) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_t thread{};
    const auto start = [](void* argument) -> void* {
        (*static_cast<Function*>(argument))();
        return nullptr;
    };
    const int error = pthread_create(&thread, &attributes, start, &function);
    pthread_attr_destroy(&attributes);
    if (error != 0)
        throw std::runtime_error("no thread");
    pthread_join(thread, nullptr);
}

}  // namespace eddy::test
