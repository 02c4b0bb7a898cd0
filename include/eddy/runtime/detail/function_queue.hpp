#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace eddy::detail {

/// Functions that wait to be called once, first in, first out, one behind the other in chunks of memory: a
/// small one costs eight bytes beside what it captures, and no allocation of its own.
///
/// Thread safety: none.
class function_queue {
public:
    function_queue() noexcept = default;
    function_queue(const function_queue&) = delete;
    function_queue& operator=(const function_queue&) = delete;
    ~function_queue();

    [[nodiscard]] bool empty() const noexcept { return next_ == end_; }

    /// Takes a function over. Throws std::bad_alloc, or what its constructor throws; the queue is then as it
    /// was.
    template <class Function>
    void push(Function&& function) {
        using stored = std::decay_t<Function>;
        if constexpr (!fits<stored>)
            emplace(boxed<stored>(std::make_unique<stored>(std::forward<Function>(function))));
        else if constexpr (std::is_nothrow_constructible_v<stored, Function>)
            emplace<stored>(std::forward<Function>(function));
        else
            emplace(stored(std::forward<Function>(function)));
    }

    /// Takes the oldest function out and calls it; it may push others. Requires: not empty().
    void call_next() { oldest().take(oldest(), *this, this); }
    /// Moves the oldest function behind those of another queue. Requires: not empty(). Throws std::bad_alloc,
    /// and then has changed nothing.
    void move_next(function_queue& to) { oldest().take(oldest(), *this, &to); }
    /// Destroys all functions without calling them.
    void clear() noexcept;

    /// Moves all functions of `other` behind those of this queue, O(1). Requires: this queue is new, or none
    /// has been taken out of `other` since it was made or emptied by this.
    void splice_back(function_queue& other) noexcept;

private:
    /// The beginning of an entry; the function follows.
    struct entry {
        /// Takes the entry out of `queue`, its own. The function is called if that is also `to`, moved there
        /// if `to` is another queue, destroyed if it is null.
        void (*take)(entry& self, function_queue& queue, function_queue* to);
    };
    struct chunk;
    static constexpr std::size_t chunk_bytes = 16 * 1024;
    static constexpr std::size_t entry_bytes_max = 1024;

    template <class Function>
    struct entry_of : entry {
        template <class Argument>
            requires(!std::is_same_v<std::remove_cvref_t<Argument>, entry_of>)
        explicit entry_of(Argument&& argument) noexcept
            : entry{&take_it}, function(std::forward<Argument>(argument)) {}
        static void take_it(entry& self, function_queue& queue, function_queue* to) {
            auto& whole = static_cast<entry_of&>(self);
            if (to != nullptr && to != &queue) {
                to->emplace(std::move(whole.function));
                whole.~entry_of();
                queue.next_ += sizeof(entry_of);
                return;
            }
            // Out of the queue first, which the function may change, or leave by an exception.
            Function taken(std::move(whole.function));
            whole.~entry_of();
            queue.next_ += sizeof(entry_of);
            if (to != nullptr)
                taken();
        }
        Function function;
    };

    template <class Function>
    class boxed {
    public:
        explicit boxed(std::unique_ptr<Function> function) noexcept : function_(std::move(function)) {}
        void operator()() { (*function_)(); }

    private:
        std::unique_ptr<Function> function_;
    };

    template <class Function>
    static constexpr bool fits =
        sizeof(entry_of<Function>) <= entry_bytes_max && alignof(entry_of<Function>) <= alignof(entry) &&
        std::is_nothrow_move_constructible_v<Function>;

    template <class Function>
    void emplace(Function&& function) {
        using placed = entry_of<std::decay_t<Function>>;
        if (static_cast<std::size_t>(limit_ - end_) < sizeof(placed)) [[unlikely]]
            add_chunk();
        ::new (end_) placed(std::forward<Function>(function));
        end_ += sizeof(placed);
    }

    [[nodiscard]] entry& oldest() noexcept { return *std::launder(reinterpret_cast<entry*>(next_)); }
    void add_chunk();
    void append(chunk& added) noexcept;
    static void enter_next_chunk(entry&, function_queue& queue, function_queue* to);
    static void free_chunks(chunk* first) noexcept;

    std::byte* next_ = nullptr;   // the oldest entry
    std::byte* end_ = nullptr;    // where the next entry is put
    std::byte* limit_ = nullptr;  // how far entries may reach in the last chunk
    chunk* first_ = nullptr;
    chunk* last_ = nullptr;
    chunk* spare_ = nullptr;  // to be used again
};

}  // namespace eddy::detail
