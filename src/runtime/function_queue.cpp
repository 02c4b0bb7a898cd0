#include <eddy/runtime/detail/function_queue.hpp>

namespace eddy::detail {

// Behind the last entry of a chunk that another one follows stands an entry which leads there.
struct function_queue::chunk {
    chunk* next = nullptr;
    alignas(entry) std::byte entries[chunk_bytes - sizeof(chunk*)];

    [[nodiscard]] std::byte* limit() noexcept { return entries + sizeof(entries) - sizeof(entry); }
};

function_queue::~function_queue() {
    clear();
    free_chunks(first_);
    delete spare_;
}

void function_queue::free_chunks(chunk* first) noexcept {
    while (first != nullptr)
        delete std::exchange(first, first->next);
}

void function_queue::add_chunk() {
    chunk* const added = spare_ != nullptr ? std::exchange(spare_, nullptr) : new chunk;
    added->next = nullptr;
    append(*added);
    end_ = added->entries;
    limit_ = added->limit();
    if (first_ == added)
        next_ = end_;
}

void function_queue::append(chunk& added) noexcept {
    if (last_ == nullptr) {
        first_ = &added;
    } else {
        ::new (end_) entry{&enter_next_chunk};
        last_->next = &added;
    }
    last_ = &added;
}

void function_queue::enter_next_chunk(entry&, function_queue& queue, function_queue* to) {
    chunk* const left = queue.first_;
    queue.first_ = left->next;
    queue.next_ = queue.first_->entries;
    if (queue.spare_ == nullptr)
        queue.spare_ = left;
    else
        delete left;
    queue.oldest().take(queue.oldest(), queue, to);
}

void function_queue::splice_back(function_queue& other) noexcept {
    if (other.empty())
        return;
    append(*other.first_);
    if (first_ == other.first_)
        next_ = other.next_;
    end_ = std::exchange(other.end_, nullptr);
    limit_ = std::exchange(other.limit_, nullptr);
    last_ = std::exchange(other.last_, nullptr);
    other.first_ = nullptr;
    other.next_ = nullptr;
    if (other.spare_ == nullptr)
        other.spare_ = std::exchange(spare_, nullptr);
}

void function_queue::clear() noexcept {
    while (!empty())
        oldest().take(oldest(), *this, nullptr);
}

}  // namespace eddy::detail
