#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace bench {

// Workers with a queue each, made of what the standard library has. Worker 0 is the caller of run(), as with
// eddy's runtime, so that both have as many threads.
class thread_pool {
public:
    explicit thread_pool(std::size_t workers);
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;
    // Requires: all that was submitted has run.
    ~thread_pool();

    std::size_t workers() const { return lanes_.size(); }
    // Requires: worker < workers().
    void submit(std::size_t worker, std::function<void()> function);
    // Runs what was submitted to worker 0 and waits until the others have run theirs.
    void run();

private:
    struct lane {
        std::mutex mutex;
        std::condition_variable changed;
        std::queue<std::function<void()>> functions;
        bool is_closed = false;
    };

    static std::function<void()> take(lane& from, bool may_wait);
    void run_one(const std::function<void()>& function);
    void serve(lane& own);

    std::vector<std::unique_ptr<lane>> lanes_;
    std::atomic<std::size_t> pending_{0};
    std::vector<std::thread> threads_;
};

}  // namespace bench
