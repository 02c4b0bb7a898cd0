#include "memcached/region.hpp"

#include <bit>
#include <new>

namespace eddy::apps::memcached {

namespace {

constexpr auto alignment = std::align_val_t(4096);

}  // namespace

void region::memory_end::operator()(std::byte* memory) const noexcept {
    ::operator delete(memory, alignment);
}

// Place 0 stays empty, so that it can stand for none.
region::region(std::size_t bytes)
    : memory_(static_cast<std::byte*>(::operator new(bytes, alignment))),
      end_(static_cast<place>(bytes / unit_bytes - 1)) {
    constexpr place first = 1;
    head(first) = block_head{0, 0};
    head(end_) = block_head{1, 0};
    set(first, end_ - first, false);
    insert(first);
}

region::place region::allocate(std::size_t bytes) noexcept {
    const auto wanted = static_cast<std::uint32_t>(cost_bytes(bytes) / unit_bytes);
    const place found = find(wanted);
    if (found == none)
        return none;
    remove(found);
    const std::uint32_t size = units(found);
    const bool is_split = size - wanted >= split_units_min;
    set(found, is_split ? wanted : size, true);
    if (is_split) {
        set(found + wanted, size - wanted, false);
        insert(found + wanted);
    }
    used_units_ += units(found);
    return found;
}

region::place region::free(place block) noexcept {
    used_units_ -= units(block);
    std::uint32_t size = units(block);
    if (const place behind = block + size; !is_used(behind)) {
        remove(behind);
        size += units(behind);
    }
    if (const place before = previous(block); before != none && !is_used(before)) {
        remove(before);
        size += units(before);
        block = before;
    }
    set(block, size, false);
    insert(block);
    return block;
}

std::byte* region::cut_end(std::size_t bytes) noexcept {
    const auto wanted = static_cast<std::uint32_t>(bytes / unit_bytes);
    const place block = last();
    // A block stays in front, however small, so that there is always a last one.
    if (is_used(block) || units(block) < wanted + split_units_min)
        return nullptr;
    remove(block);
    end_ -= wanted;
    head(end_) = block_head{1, 0};
    set(block, units(block) - wanted, false);
    insert(block);
    used_units_ += wanted;
    // Behind the head that marks the end there is the memory of one that did before.
    return memory_.get() + (std::size_t{end_} + 1) * unit_bytes;
}

void region::set(place block, std::uint32_t size, bool is_used) noexcept {
    head(block).size_and_use = size << 1 | (is_used ? 1U : 0U);
    head(block + size).previous_units = size;
}

region::list_index region::index_of(std::uint32_t size) noexcept {
    const auto power = static_cast<unsigned>(std::bit_width(size)) - 1;
    if (power < steps_log)
        return {0, size};
    return {power - steps_log + 1, size >> (power - steps_log) & (steps - 1)};
}

// The list of the size itself may hold smaller ones, so only its first block is looked at; those of the lists
// behind it all fit.
region::place region::find(std::uint32_t size) const noexcept {
    const auto [power, step] = index_of(size);
    if (const place first = lists_[power][step]; first != none && units(first) >= size)
        return first;
    if (const unsigned larger = steps_in_use_[power] & (~1U << step); larger != 0)
        return lists_[power][static_cast<unsigned>(std::countr_zero(larger))];
    const std::uint32_t higher = powers_in_use_ & (~1U << power);
    if (higher == 0)
        return none;
    const auto next_power = static_cast<unsigned>(std::countr_zero(higher));
    return lists_[next_power][static_cast<unsigned>(std::countr_zero(unsigned{steps_in_use_[next_power]}))];
}

void region::insert(place block) noexcept {
    const auto [power, step] = index_of(units(block));
    place& first = lists_[power][step];
    links(block) = free_links{first, none};
    if (first != none)
        links(first).previous = block;
    first = block;
    steps_in_use_[power] = static_cast<std::uint16_t>(steps_in_use_[power] | 1U << step);
    powers_in_use_ |= 1U << power;
}

void region::remove(place block) noexcept {
    const auto [power, step] = index_of(units(block));
    const free_links around = links(block);
    if (around.next != none)
        links(around.next).previous = around.previous;
    if (around.previous != none) {
        links(around.previous).next = around.next;
        return;
    }
    lists_[power][step] = around.next;
    if (around.next != none)
        return;
    steps_in_use_[power] = static_cast<std::uint16_t>(steps_in_use_[power] & ~(1U << step));
    if (steps_in_use_[power] == 0)
        powers_in_use_ &= ~(1U << power);
}

}  // namespace eddy::apps::memcached
