#pragma once

#include "memcached/item.hpp"
#include "memcached/shard.hpp"

#include <eddy/io/buffer.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace eddy::apps::memcached {

/// What goes to a client next: text that gathers in one buffer, and between it large values, which are sent
/// from where they are stored and stay there meanwhile.
///
/// Cost: allocates when it is made, and as it meets more large values than before. Thread safety: none.
class answer {
public:
    /// What a step of a command may append before is_full() must be checked again.
    static constexpr std::size_t step_bytes_max = std::size_t{16} << 10;
    /// Values above this are not copied.
    static constexpr std::size_t copied_bytes_max = std::size_t{12} << 10;

    answer() : text_(std::make_unique_for_overwrite<char[]>(text_bytes)) {}
    answer(const answer&) = delete;
    answer& operator=(const answer&) = delete;
    ~answer() { clear(); }

    /// Requires: not full; no more than step_bytes_max since is_full() was checked.
    void append(std::string_view bytes) noexcept {
        bytes.copy(text_.get() + size_, bytes.size());
        size_ += bytes.size();
    }
    void append(char byte) noexcept { text_[size_++] = byte; }
    template <std::integral Number>
        requires(!std::same_as<Number, char>)
    void append(Number number) noexcept {
        constexpr std::size_t digits_max = 20;
        char* const at = text_.get() + size_;
        size_ += static_cast<std::size_t>(std::to_chars(at, at + digits_max + 1, number).ptr - at);
    }
    /// The value of an item and a line's end. Requires: the lock of its shard.
    void append_value(item& stored, shard& home);

    [[nodiscard]] bool is_empty() const noexcept { return size_ == 0 && values_.empty(); }
    /// Whether it should be sent before anything is appended.
    [[nodiscard]] bool is_full() const noexcept {
        return size_ > text_bytes - step_bytes_max || values_.size() == values_max;
    }
    /// How many bytes of text there are, to go back to by cut().
    [[nodiscard]] std::size_t text_size() const noexcept { return size_; }
    /// Takes text back. Requires: no value was appended since.
    void cut(std::size_t text_size) noexcept { size_ = text_size; }

    [[nodiscard]] bool is_text_only() const noexcept { return values_.empty(); }
    [[nodiscard]] std::string_view text() const noexcept { return {text_.get(), size_}; }
    /// All of it, in order; lives until the next call or change.
    [[nodiscard]] std::span<const_buffer> parts();

    /// Clears everything and releases the values. Takes the locks of their shards.
    void clear() noexcept;

private:
    struct held_value {
        item* stored;
        shard* home;
        std::size_t text_before;  // all text in front of it
    };
    static constexpr std::size_t text_bytes = std::size_t{64} << 10;
    static constexpr std::size_t values_max = 64;

    std::unique_ptr<char[]> text_;
    std::size_t size_ = 0;
    std::vector<held_value> values_;
    std::vector<const_buffer> parts_;
};

}  // namespace eddy::apps::memcached
