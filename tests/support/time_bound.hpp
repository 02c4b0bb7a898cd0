#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace eddy::test {

/// Ends the program with a message unless it is destroyed in time: a test that hangs fails.
class time_bound {
public:
    explicit time_bound(std::chrono::seconds limit = std::chrono::seconds(120))
        : watch_([this, limit] {
              std::unique_lock lock(mutex_);
              if (!ended_.wait_for(lock, limit, [this] { return is_over_; })) {
                  std::fprintf(stderr, "a test did not end within its bound of %lld s\n",
                               static_cast<long long>(limit.count()));
                  std::abort();
              }
          }) {}
    time_bound(const time_bound&) = delete;
    time_bound& operator=(const time_bound&) = delete;
    ~time_bound() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        ended_.notify_one();
        watch_.join();
    }

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_over_ = false;
    std::thread watch_;
};

}  // namespace eddy::test
