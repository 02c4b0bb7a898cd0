#pragma once

#include "sockets/asio_sockets.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <utility>

namespace bench {

// With the executor known to the compiler.
template <class T = void>
using asio_awaitable = boost::asio::awaitable<T, asio_executor>;

inline void begin(boost::asio::io_context& context, asio_awaitable<> task) {
    boost::asio::co_spawn(context, std::move(task), [](const std::exception_ptr& error) {
        if (error)
            std::rethrow_exception(error);
    });
}

// Runs a task on so many threads and gives its result.
template <class T>
T run_task(std::size_t threads, asio_awaitable<T> task) {
    boost::asio::io_context context(static_cast<int>(threads));
    T result{};
    boost::asio::co_spawn(context, std::move(task), [&](const std::exception_ptr& error, T value) {
        if (error)
            std::rethrow_exception(error);
        result = std::move(value);
    });
    run_on_threads(context, threads);
    return result;
}

}  // namespace bench
