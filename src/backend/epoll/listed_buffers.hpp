#pragma once

#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <vector>

namespace eddy::backends {

/// A buffer pool whose free buffers stand in a list, the last one used first. The system gets back the memory
/// of those that nobody has needed for a while.
class listed_buffers final : public io::buffer_pool {
public:
    using buffer_pool::buffer_pool;

    void release(index buffer) noexcept override { free_.push_back(buffer); }

    /// Takes a free buffer, making more of them if it must; none if there can be no more.
    [[nodiscard]] index take() noexcept {
        if (free_.empty() && !add_chunk()) [[unlikely]]
            return none;
        const index taken = free_.back();
        free_.pop_back();
        note_left(free_.size());
        if (free_.size() < clean_) [[unlikely]] {
            clean_ = free_.size();
            detail::spare_notice::give();
        }
        return taken;
    }

    [[nodiscard]] std::size_t available() const noexcept override { return free_.size(); }

private:
    bool add_chunk() noexcept;
    bool withdraw_from(index first) noexcept override;
    void note_unneeded(std::size_t buffers) noexcept override;

    // There is always room for all buffers.
    std::vector<index> free_;
    std::size_t clean_ = 0;  // at the list's beginning, without memory
};

}  // namespace eddy::backends
