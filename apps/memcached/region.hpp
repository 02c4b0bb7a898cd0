#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace eddy::apps::memcached {

/// A fixed piece of memory from which blocks of any size are taken: what the process holds for items never
/// grows beyond it, however their sizes change.
///
/// Blocks lie one behind the other, so that free neighbours merge, and a large block can be made by freeing
/// neighbours. Free blocks are found by size in constant time: a list for each of 16 steps of each power of
/// two (two-level segregated fit). A block costs 8 bytes and is a multiple of 16.
///
/// Memory is touched only as it is used. Thread safety: none.
class region {
public:
    /// A block, by its distance from the beginning in units; 0 is none.
    using place = std::uint32_t;
    static constexpr place none = 0;
    static constexpr std::size_t unit_bytes = 16;
    static constexpr std::size_t bytes_max = std::size_t{1} << 34;

    /// Throws std::bad_alloc. Requires: 4096 <= bytes <= bytes_max.
    explicit region(std::size_t bytes);

    /// Memory for so many bytes at least, at a multiple of 8; none if no free block is large enough.
    [[nodiscard]] place allocate(std::size_t bytes) noexcept;
    /// Frees a block and returns the free block that it has become part of.
    place free(place block) noexcept;

    [[nodiscard]] std::byte* at(place block) const noexcept {
        return memory_.get() + std::size_t{block} * unit_bytes + head_bytes;
    }

    /// What it takes to have so many bytes in a block.
    [[nodiscard]] static std::size_t cost_bytes(std::size_t bytes) noexcept {
        return (bytes + head_bytes + unit_bytes - 1) / unit_bytes * unit_bytes;
    }
    [[nodiscard]] std::size_t block_bytes(place block) const noexcept { return units(block) * unit_bytes; }
    [[nodiscard]] bool is_used(place block) const noexcept { return (head(block).size_and_use & 1U) != 0; }
    /// The neighbours in memory; none at the ends.
    [[nodiscard]] place next(place block) const noexcept {
        const place behind = block + units(block);
        return behind == end_ ? none : behind;
    }
    [[nodiscard]] place previous(place block) const noexcept {
        const std::uint32_t size = head(block).previous_units;
        return size == 0 ? none : block - size;
    }
    /// The block with the highest place.
    [[nodiscard]] place last() const noexcept { return end_ - head(end_).previous_units; }

    /// Removes memory from the end permanently; null if the last block is not free and large enough.
    /// Requires: a multiple of unit_bytes.
    [[nodiscard]] std::byte* cut_end(std::size_t bytes) noexcept;

    /// Of all blocks in use, and of what was cut off.
    [[nodiscard]] std::size_t used_bytes() const noexcept { return used_units_ * unit_bytes; }

private:
    struct block_head {
        std::uint32_t size_and_use;    // units * 2, + 1 if in use
        std::uint32_t previous_units;  // of the block in front; 0: there is none
    };
    struct free_links {
        place next;
        place previous;
    };
    struct list_index {
        unsigned power;
        unsigned step;
    };
    struct memory_end {
        void operator()(std::byte* memory) const noexcept;
    };
    static constexpr std::size_t head_bytes = sizeof(block_head);
    static constexpr unsigned steps_log = 4;
    static constexpr unsigned steps = 1U << steps_log;
    static constexpr unsigned powers = 32;
    static constexpr std::uint32_t split_units_min = 4;  // less is not worth a block of its own

    [[nodiscard]] block_head& head(place block) const noexcept {
        return *reinterpret_cast<block_head*>(memory_.get() + std::size_t{block} * unit_bytes);
    }
    [[nodiscard]] free_links& links(place block) const noexcept {
        return *reinterpret_cast<free_links*>(at(block));
    }
    [[nodiscard]] std::uint32_t units(place block) const noexcept { return head(block).size_and_use >> 1; }
    void set(place block, std::uint32_t size, bool is_used) noexcept;
    [[nodiscard]] static list_index index_of(std::uint32_t size) noexcept;
    [[nodiscard]] place find(std::uint32_t size) const noexcept;
    void insert(place block) noexcept;
    void remove(place block) noexcept;

    std::unique_ptr<std::byte, memory_end> memory_;
    place end_;  // a head that marks the end
    std::uint64_t used_units_ = 0;
    std::uint32_t powers_in_use_ = 0;
    std::array<std::uint16_t, powers> steps_in_use_{};
    std::array<std::array<place, steps>, powers> lists_{};
};

}  // namespace eddy::apps::memcached
