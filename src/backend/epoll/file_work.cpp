#include "backend/epoll/file_work.hpp"

#include "backend/epoll/file_calls.hpp"

#include <new>
#include <thread>

namespace eddy::backends {

file_work::~file_work() {
    while (threads_.load(std::memory_order_acquire) != 0)
        std::this_thread::yield();
}

bool file_work::begin(io::operation& op, bool goes_past_cache) noexcept {
    if (unused_.empty()) {
        try {
            unused_.push_back(all_.emplace_back());
        } catch (const std::bad_alloc&) {
            return false;
        }
    }
    request& begun = unused_.pop_front();
    begun.owner = this;
    begun.requested = &op;
    under_way_.push_back(begun);
    op.state = io::operation::progress::in_flight;
    op.backend_data = reinterpret_cast<std::uintptr_t>(&begun);
    begun.is_direct = goes_past_cache && direct_.begin(op, &begun);
    if (!begun.is_direct)
        post(begun);
    return true;
}

void file_work::post(request& posted) noexcept {
    threads_.fetch_add(1, std::memory_order_relaxed);
    executor_.post(posted);
}

bool file_work::retract(io::operation& op) noexcept {
    request& posted = request_of(op);
    if (posted.is_direct || !executor_.retract(posted))
        return false;
    threads_.fetch_sub(1, std::memory_order_relaxed);
    recycle(posted);
    return true;
}

io::operation* file_work::find(int descriptor) noexcept {
    io::operation* found = nullptr;
    under_way_.for_each([&](request& candidate) {
        if (descriptor < 0 || candidate.requested->descriptor == descriptor)
            found = candidate.requested;
    });
    return found;
}

bool file_work::close_later(int descriptor) noexcept {
    try {
        closing_.push_back(descriptor);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void file_work::run_item(io::blocking_item& item) noexcept {
    auto& running = static_cast<request&>(item);
    file_work& owner = *running.owner;
    running.result = make_file_call(*running.requested);
    owner.push_ended(running);
    owner.threads_.fetch_sub(1, std::memory_order_release);
}

void file_work::push_ended(request& ended) noexcept {
    ended.next_ended = ended_.load(std::memory_order_relaxed);
    while (!ended_.compare_exchange_weak(ended.next_ended, &ended, std::memory_order_release,
                                         std::memory_order_relaxed)) {
    }
    ended_.notify_one();
    home_.wake();
}

file_work::request* file_work::in_order(request* stack) noexcept {
    request* ordered = nullptr;
    while (stack != nullptr) {
        request* const below = stack->next_ended;
        stack->next_ended = ordered;
        ordered = stack;
        stack = below;
    }
    return ordered;
}

void file_work::recycle(request& unused) noexcept {
    unused.unlink();
    unused.requested = nullptr;
    unused_.push_front(unused);
}

}  // namespace eddy::backends
