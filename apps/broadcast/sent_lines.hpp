#pragma once

#include "broadcast/line.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace eddy::apps {

/// The last lines of this node, with their numbers: some are yet to be sent to the others, some were and are
/// kept for nodes that have missed them.
class sent_lines {
public:
    explicit sent_lines(std::size_t lines_max) noexcept : lines_max_(lines_max) {}

    void add(shared_line said);
    /// Line by its number, or null if it is not here any more.
    [[nodiscard]] shared_line find(std::uint64_t number) const;

    [[nodiscard]] bool has_unsent() const noexcept { return next_ != first_ + lines_.size(); }
    /// The number of the first line that was not sent.
    [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
    [[nodiscard]] std::uint64_t unsent() const noexcept { return first_ + lines_.size() - next_; }
    /// All before this one were sent. Some of them may have been dropped meanwhile.
    void note_sent_before(std::uint64_t number) noexcept;
    /// How many were dropped before they could be sent.
    [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

private:
    std::size_t lines_max_;
    std::deque<shared_line> lines_;
    std::uint64_t first_ = 1;  // the number of the first line that is here
    std::uint64_t next_ = 1;
    std::uint64_t lost_ = 0;
};

}  // namespace eddy::apps
