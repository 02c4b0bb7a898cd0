#pragma once

#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <vector>

namespace eddy::backends {

/// A buffer pool whose free buffers stand in a list, the last one used first.
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
        return taken;
    }

    [[nodiscard]] std::size_t available() const noexcept override { return free_.size(); }

private:
    bool add_chunk() noexcept;
    bool withdraw_from(index first) noexcept override;

    // There is always room for all buffers.
    std::vector<index> free_;
};

}  // namespace eddy::backends
