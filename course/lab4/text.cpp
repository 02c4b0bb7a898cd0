// What the text quotes.
#include "support/list.hpp"

#include <atomic>
#include <mutex>

namespace {

struct node {
    node* next = nullptr;
};

// [snippet: push]
// Pushes in front of what is there. If another thread was faster, `seen` is what it pushed, and we try again.
void push(std::atomic<node*>& newest, node& added) {
    node* seen = newest.load(std::memory_order_relaxed);
    do
        added.next = seen;
    while (!newest.compare_exchange_weak(seen, &added, std::memory_order_release, std::memory_order_relaxed));
}

// Takes everything, which only one thread does.
node* take_all(std::atomic<node*>& newest) {
    return newest.exchange(nullptr, std::memory_order_acquire);
}
// [/snippet]

struct waiting_task : course::link {
    void wake() {}
};

struct shape {
    std::mutex lock_;
    bool is_set_ = false;
    course::list<waiting_task> waiting_;

    // [snippet: shape]
    // The waiter: looks and enters the list under one lock. False: there is nothing to wait for.
    bool wait_in_list(waiting_task& waits) {
        const std::lock_guard guard(lock_);
        if (is_set_)
            return false;
        waiting_.push_back(waits);
        return true;
    }

    // The other side: changes the state and takes the waiters out under the lock, and wakes them after it.
    void change() {
        course::list<waiting_task> woken;
        {
            const std::lock_guard guard(lock_);
            is_set_ = true;
            woken.append(waiting_);
        }
        while (!woken.empty())
            woken.pop_front().wake();
    }
    // [/snippet]
};

}  // namespace

bool text_of_lab4() {
    std::atomic<node*> newest = nullptr;
    node first;
    push(newest, first);
    shape one;
    waiting_task waits;
    const bool is_waiting = one.wait_in_list(waits);
    one.change();
    return is_waiting && take_all(newest) == &first;
}
