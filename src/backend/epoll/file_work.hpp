#pragma once

#include "backend/epoll/direct_reads.hpp"
#include "backend/epoll/epoll_set.hpp"

#include <eddy/detail/intrusive_list.hpp>
#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/io/detail/operation.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <vector>

namespace eddy::backends {

struct file_request_tag;

/// The operations that may have to wait for a device: their way to the executor's threads and back, or, reads past the
/// page cache, to the system's own.
///
/// An operation that is here is in_flight, and its mark is the address of its request. A thread that is done
/// pushes the request on a lock-free stack and wakes the backend, which takes the whole stack. The last that
/// a thread touches is the count of those under way, for which the destructor waits.
///
/// Thread safety: belongs to the backend's thread.
class file_work {
public:
    file_work(io::blocking_executor& executor, epoll_set& home) noexcept
        : executor_(executor), home_(home), direct_(home.wake_descriptor()) {}
    file_work(const file_work&) = delete;
    file_work& operator=(const file_work&) = delete;
    /// Requires: no operation is under way. Waits until the threads are done.
    ~file_work();

    /// Hands the operation to a thread or, if it goes past the page cache (is_direct) and the system can, to the
    /// system. False if memory is out.
    [[nodiscard]] bool begin(io::operation& op, bool goes_past_cache) noexcept;

    /// Takes the operation back if nothing has begun it; it then belongs to the caller.
    [[nodiscard]] bool retract(io::operation& op) noexcept;

    /// Takes back what nothing has begun of those on the descriptor and calls end(operation) for each.
    /// False if others of them are under way still.
    template <class End>
    [[nodiscard]] bool retract_all(int descriptor, End end) noexcept {
        bool are_all_back = true;
        requests visited;
        visited.splice_back(under_way_);
        while (!visited.empty()) {
            request& candidate = visited.pop_front();
            under_way_.push_back(candidate);
            io::operation& op = *candidate.requested;
            if (op.descriptor != descriptor)
                continue;
            if (retract(op))
                end(op);
            else
                are_all_back = false;
        }
        return are_all_back;
    }

    /// Notes that the descriptor is to be closed when nothing is under way on it any more. False if memory
    /// is out.
    [[nodiscard]] bool close_later(int descriptor) noexcept;
    /// True once for a descriptor that was to be closed later and on which nothing is under way any more.
    [[nodiscard]] bool may_close_now(int descriptor) noexcept {
        return !closing_.empty() && find(descriptor) == nullptr && std::erase(closing_, descriptor) != 0;
    }

    [[nodiscard]] bool has_ended() const noexcept {
        return !under_way_.empty() &&
               (ended_.load(std::memory_order_relaxed) != nullptr || direct_.has_ended());
    }

    /// Calls end(operation, result) for some that have ended, and waits until there is one of the kind of `op`.
    template <class End>
    void await(const io::operation& op, End end) noexcept {
        if (request_of(op).is_direct)
            return take_direct(end);
        ended_.wait(nullptr, std::memory_order_acquire);
        take_ended(end);
    }

    /// Calls end(operation, result) for those that have ended, in the order in which they did.
    template <class End>
    void take_ended(End end) noexcept {
        if (direct_.has_ended())
            take_direct(end);
        request* next = in_order(ended_.exchange(nullptr, std::memory_order_acquire));
        while (next != nullptr) {
            request& taken = *next;
            next = taken.next_ended;
            finish(taken, taken.result, end);
        }
    }

    /// An operation under way on the descriptor, or on any for -1; null if there is none.
    [[nodiscard]] io::operation* find(int descriptor) noexcept;

    /// How many operations are here, by walking.
    [[nodiscard]] std::size_t count_under_way() const noexcept { return under_way_.count(); }

private:
    struct request : io::blocking_item, detail::list_hook<file_request_tag> {
        request() noexcept : blocking_item(&run_item) {}
        file_work* owner = nullptr;
        io::operation* requested = nullptr;
        request* next_ended = nullptr;
        std::int32_t result = 0;
        // Whether the system carries it out, not a thread.
        bool is_direct = false;
    };
    using requests = detail::intrusive_list<request, file_request_tag>;

    static void run_item(io::blocking_item& item) noexcept;
    static request* in_order(request* stack) noexcept;
    static request& request_of(const io::operation& op) noexcept {
        return *reinterpret_cast<request*>(static_cast<std::uintptr_t>(op.backend_data));
    }

    template <class End>
    void take_direct(End end) noexcept {
        direct_.take_ended([&](void* owner, std::int32_t result) {
            request& taken = *static_cast<request*>(owner);
            taken.is_direct = false;
            if (result == -EAGAIN)
                post(taken);
            else
                finish(taken, result, end);
        });
    }

    template <class End>
    void finish(request& ended, std::int32_t result, End end) noexcept {
        io::operation& op = *ended.requested;
        recycle(ended);
        end(op, result);
    }

    void post(request& posted) noexcept;
    void push_ended(request& ended) noexcept;
    void recycle(request& unused) noexcept;

    io::blocking_executor& executor_;
    epoll_set& home_;
    direct_reads direct_;
    std::deque<request> all_;
    requests unused_;
    requests under_way_;
    std::vector<int> closing_;
    std::atomic<request*> ended_ = nullptr;
    std::atomic<int> threads_ = 0;
};

}  // namespace eddy::backends
