#pragma once

#include <eddy/detail/intrusive_list.hpp>
#include <eddy/io/detail/operation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace eddy::backends {

struct attention_tag;

/// The epoll backend's state of one descriptor, and the operations that wait for it.
///
/// The hook places it in the list of descriptors that are to be visited in the next turn, or among those that
/// lack a receive buffer.
struct descriptor_state : detail::list_hook<attention_tag> {
    using operations = detail::intrusive_list<io::operation, io::operation_tag>;
    enum class read_mode : std::uint8_t { unknown, never_blocks, may_block, file };

    /// Whether an operation may wait here.
    [[nodiscard]] bool is_awaited() const noexcept { return !readers.empty() || !writers.empty(); }

    /// What an event carries: a descriptor's number may be that of another file by the time it is seen.
    [[nodiscard]] std::uint64_t token() const noexcept {
        return std::uint64_t{generation} << 32 | static_cast<std::uint32_t>(descriptor);
    }

    /// Notes the events that epoll has reported (epoll_ctl(2)).
    void note(std::uint32_t events) noexcept;
    /// Forgets what was known of the file. Requires: !is_awaited().
    void renew() noexcept;
    /// Forgets what need not be true any more when an operation begins that was not tried at once.
    void note_begun(io::opcode kind) noexcept;
    /// The directions in which it should be watched (epoll_set).
    [[nodiscard]] std::uint32_t wanted() const noexcept;

    operations readers;
    operations writers;
    int descriptor = -1;
    std::uint32_t generation = 0;
    // The directions in which it is watched (epoll_set).
    std::uint32_t watched = 0;
    // Whether it was watched before: the system still has it then, unless it was closed.
    bool was_watched = false;
    // The event that is being handled: what it reports need not be queried again.
    std::uint32_t news = 0;
    // Whether a call may succeed. True until the system says otherwise, so that the first call is tried.
    bool is_readable = true;
    bool is_writable = true;
    // After a hang-up, an error or urgent data a short transfer does not prove that nothing is left.
    bool is_disturbed = false;
    // Whether it was used for readiness only: other code than this backend may close it.
    bool is_foreign = false;
    // Whether it stands among those that lack a receive buffer.
    bool is_starved = false;
    // Whether read(2) and write(2) may block: for another process, or for the device.
    read_mode reading = read_mode::unknown;
};

/// The states of all descriptors, by number, at addresses that stay.
class descriptor_table {
public:
    /// Null if nothing was ever noted of the descriptor.
    [[nodiscard]] descriptor_state* find(int descriptor) const noexcept {
        const auto chunk = static_cast<std::size_t>(descriptor) / chunk_size;
        if (descriptor < 0 || chunk >= chunks_.size() || chunks_[chunk] == nullptr)
            return nullptr;
        return &(*chunks_[chunk])[static_cast<std::size_t>(descriptor) % chunk_size];
    }

    /// Null if memory is out. Requires: descriptor >= 0.
    [[nodiscard]] descriptor_state* obtain(int descriptor) noexcept {
        descriptor_state* const known = find(descriptor);
        return known != nullptr ? known : make(descriptor);
    }

    template <class Visit>
    void for_each(Visit visit) {
        for (const auto& chunk : chunks_)
            if (chunk != nullptr)
                for (descriptor_state& state : *chunk)
                    visit(state);
    }

private:
    static constexpr std::size_t chunk_size = 128;
    using chunk_type = std::array<descriptor_state, chunk_size>;

    descriptor_state* make(int descriptor) noexcept;

    std::vector<std::unique_ptr<chunk_type>> chunks_;
};

}  // namespace eddy::backends
