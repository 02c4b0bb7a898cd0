#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace eddy::http::test {

/// Holds one task back until it is opened. Belongs to a worker.
class door {
public:
    void open() noexcept {
        is_open_ = true;
        if (eddy::detail::job* const waiter = std::exchange(waiter_, nullptr))
            waiter->loop().make_ready(*waiter);
    }

    class awaiter {
    public:
        explicit awaiter(door& awaited) noexcept : door_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() {
            if (waits_)
                door_.waiter_ = nullptr;
        }
        bool await_ready() const noexcept { return door_.is_open_; }
        void await_suspend(eddy::detail::suspension point) noexcept {
            waits_ = true;
            door_.waiter_ = &eddy::detail::resume_loop::current().suspend(point);
        }
        void await_resume() noexcept { waits_ = false; }

    private:
        door& door_;
        bool waits_ = false;
    };
    awaiter operator co_await() noexcept { return awaiter(*this); }

private:
    bool is_open_ = false;
    eddy::detail::job* waiter_ = nullptr;
};

/// A server on a thread with a runtime of its own, for blocking clients. The destructor drops the server,
/// whatever it is doing, and checks that no coroutine frame is left.
class served {
public:
    using handler_maker = std::function<std::unique_ptr<request_handler>()>;

    /// `make_handler` is called on the server's worker. `port`: 0 for any.
    explicit served(handler_maker make_handler, server_options options = {}, runtime_options workers = {},
                    std::uint16_t port = 0)
        : port_(port),
          thread_([this, make_handler = std::move(make_handler), options = std::move(options), workers] {
              const auto blocks = eddy::detail::frame_cache::live_blocks();
              {
                  runtime made(runtime_options(workers).workers(1));
                  made.run(serve(make_handler, options));
                  told_to_end_.get_future().wait();
              }
              EXPECT_EQ(eddy::detail::frame_cache::live_blocks(), blocks) << "frames that nobody owns";
          }) {
        port_ = ready_.get_future().get();
    }
    served(const served&) = delete;
    served& operator=(const served&) = delete;
    ~served() { drop(); }

    /// Drops the server and ends its runtime.
    void drop() {
        if (!thread_.joinable())
            return;
        call([this] { ending_.open(); });
        told_to_end_.set_value();  // the runtime lives until the message's post() has returned
        thread_.join();
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

    /// Calls a function on the server's worker, between tasks, and gives its result.
    template <class Function>
    std::invoke_result_t<Function&> call(Function function) {
        using result = std::invoke_result_t<Function&>;
        std::packaged_task<result()> requested(std::move(function));
        auto response = requested.get_future();
        message<result> sent(requested);
        worker_->post(sent);
        return response.get();
    }
    /// The server and its handler, for use within call().
    [[nodiscard]] server& the_server() noexcept { return *server_; }
    [[nodiscard]] request_handler& handler() noexcept { return *handler_; }

    [[nodiscard]] std::size_t connections() {
        return call([this] { return server_->connections(); });
    }
    /// Turns the server's worker until it has as many connections, for ten seconds at most.
    [[nodiscard]] bool comes_to(std::size_t connections) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (this->connections() != connections) {
            if (std::chrono::steady_clock::now() > limit)
                return false;
            std::this_thread::yield();
        }
        return true;
    }
    /// Whether run() has ended.
    [[nodiscard]] bool has_stopped() {
        return call([this] { return running_.done(); });
    }

    /// Begins drain(), and join() with a limit; the future gives how many connections were cut off.
    std::future<std::size_t> drain_and_join(duration limit) {
        return call([this, limit] {
            server_->drain();
            std::promise<std::size_t> reported;
            auto response = reported.get_future();
            joining_ = spawn(join(limit, std::move(reported)), "join");
            return response;
        });
    }

private:
    template <class Result>
    struct message : eddy::detail::inbox_item {
        explicit message(std::packaged_task<Result()>& task) noexcept
            : eddy::detail::inbox_item(&received), requested(task) {}
        static void received(eddy::detail::inbox_item& item, bool) noexcept {
            static_cast<message&>(item).requested();
        }
        std::packaged_task<Result()>& requested;
    };

    task<void> serve(const handler_maker& make_handler, const server_options& options) {
        worker_ = &eddy::detail::worker_core::current();
        handler_ = make_handler();
        server_.emplace(tcp_listener::bind(endpoint::loopback_ipv4(port_)), *handler_, options);
        running_ = spawn(server_->run(), "server");
        ready_.set_value(server_->listener().local_endpoint().port());
        co_await ending_;
        joining_.cancel();
        running_.cancel();
        server_.reset();
        handler_.reset();
    }

    task<void> join(duration limit, std::promise<std::size_t> reported) {
        co_await running_;
        reported.set_value(co_await server_->join(limit));
    }

    std::promise<std::uint16_t> ready_;
    std::promise<void> told_to_end_;
    door ending_;
    eddy::detail::worker_core* worker_ = nullptr;
    std::unique_ptr<request_handler> handler_;
    std::optional<server> server_;
    handle<void> running_;
    handle<void> joining_;
    std::uint16_t port_;
    std::thread thread_;  // last: uses the others
};

}  // namespace eddy::http::test
