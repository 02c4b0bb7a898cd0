#pragma once

#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <vector>

namespace eddy::backends {

/// A buffer pool whose free buffers stand in a list, the last one used first. The memory of those that were
/// not needed for a while is returned to the system.
class listed_buffers final : public io::buffer_pool {
public:
    /// `page_bytes` is the system's page size.
    listed_buffers(std::size_t buffer_size, std::size_t buffers_max,
                   std::size_t page_bytes = system_page_bytes())
        : buffer_pool(buffer_size, buffers_max, page_bytes), page_bytes_(page_bytes) {}

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
            detail::trim_request::give();
        }
        return taken;
    }

    [[nodiscard]] std::size_t available() const noexcept override { return free_.size(); }

private:
    [[nodiscard]] static std::size_t system_page_bytes() noexcept;
    bool add_chunk() noexcept;
    bool withdraw_from(index first) noexcept override;
    void note_unneeded(std::size_t buffers) noexcept override;

    std::size_t page_bytes_;
    // There is always room for all buffers.
    std::vector<index> free_;
    std::size_t clean_ = 0;  // at the list's beginning, without memory
};

}  // namespace eddy::backends
