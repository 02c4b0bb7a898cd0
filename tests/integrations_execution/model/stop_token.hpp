#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace stdexec {

// [stoptoken.never]
class never_stop_token {
    struct callback {
        explicit callback(never_stop_token, auto&&) noexcept {}
    };

public:
    template <class Function>
    using callback_type = callback;
    [[nodiscard]] static constexpr bool stop_requested() noexcept { return false; }
    [[nodiscard]] static constexpr bool stop_possible() noexcept { return false; }
    bool operator==(const never_stop_token&) const = default;
};

// [stopsource.inplace]: callbacks run in request_stop(); the destructor of one waits for it if it runs on another thread.
class inplace_stop_token;
class inplace_stop_source {
public:
    inplace_stop_source() = default;
    inplace_stop_source(const inplace_stop_source&) = delete;
    inplace_stop_source& operator=(const inplace_stop_source&) = delete;

    [[nodiscard]] inplace_stop_token get_token() const noexcept;
    [[nodiscard]] bool stop_requested() const noexcept { return is_requested_.load(); }
    bool request_stop() noexcept {
        std::unique_lock lock(mutex_);
        if (is_requested_.exchange(true))
            return false;
        requesting_ = std::this_thread::get_id();
        while (!callbacks_.empty()) {
            running_ = callbacks_.back();
            callbacks_.pop_back();
            lock.unlock();
            running_->called();
            lock.lock();
            running_ = nullptr;
        }
        return true;
    }

    class callback_base {
    public:
        std::function<void()> called;
    };
    // Returns whether it was too late, so that the callback has to be called.
    [[nodiscard]] bool add(callback_base& added) {
        const std::lock_guard lock(mutex_);
        if (is_requested_.load())
            return true;
        callbacks_.push_back(&added);
        return false;
    }
    void remove(callback_base& removed) noexcept {
        std::unique_lock lock(mutex_);
        std::erase(callbacks_, &removed);
        while (running_ == &removed && requesting_ != std::this_thread::get_id()) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }

private:
    std::mutex mutex_;
    std::atomic<bool> is_requested_{false};
    std::thread::id requesting_;
    callback_base* running_ = nullptr;
    std::vector<callback_base*> callbacks_;
};

template <class Function>
class inplace_stop_callback;
class inplace_stop_token {
public:
    template <class Function>
    using callback_type = inplace_stop_callback<Function>;
    inplace_stop_token() = default;
    explicit inplace_stop_token(const inplace_stop_source& of) noexcept : source_(&of) {}
    [[nodiscard]] bool stop_requested() const noexcept {
        return source_ != nullptr && source_->stop_requested();
    }
    [[nodiscard]] bool stop_possible() const noexcept { return source_ != nullptr; }
    bool operator==(const inplace_stop_token&) const = default;

private:
    template <class Function>
    friend class inplace_stop_callback;
    const inplace_stop_source* source_ = nullptr;
};
inline inplace_stop_token inplace_stop_source::get_token() const noexcept {
    return inplace_stop_token(*this);
}

template <class Function>
class inplace_stop_callback : private inplace_stop_source::callback_base {
public:
    template <class Init>
    inplace_stop_callback(inplace_stop_token of, Init&& init)
        : source_(const_cast<inplace_stop_source*>(of.source_)), function_(std::forward<Init>(init)) {
        called = [this] { function_(); };
        if (source_ != nullptr && source_->add(*this))
            function_();
    }
    inplace_stop_callback(const inplace_stop_callback&) = delete;
    inplace_stop_callback& operator=(const inplace_stop_callback&) = delete;
    ~inplace_stop_callback() {
        if (source_ != nullptr)
            source_->remove(*this);
    }

private:
    inplace_stop_source* source_;
    Function function_;
};

template <class Token, class Function>
using stop_callback_for_t = typename Token::template callback_type<Function>;

}  // namespace stdexec
