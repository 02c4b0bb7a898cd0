#pragma once

#include <eddy/base/intrusive_list.hpp>

#include <cstdint>
#include <utility>

namespace eddy::detail {

/// What is left to somebody who has just given back some of the memory that he keeps for reuse.
enum class spare_left : std::uint8_t {
    little,  ///< not worth another look, unless he says so
    some,    ///< what may turn out to be needed, or not, until the next look
    much,    ///< he has to go on at once: all in one piece would take too long
};

/// Keeps memory for reuse. The worker on which it is looks at it now and then (spare_watch), an idle one too
/// as long as there is something left.
///
/// Thread safety: belongs to its worker.
class spare_keeper : public list_hook<spare_keeper> {
public:
    /// Gives back some of what has not been needed since it was asked last. In a time that hardly depends on
    /// how much that is; resumes nobody.
    [[nodiscard]] virtual spare_left give_back_some() noexcept = 0;

protected:
    spare_keeper() = default;
    ~spare_keeper() = default;
};

/// Says that something on this thread keeps more memory than before, so that somebody looks at it.
class spare_notice {
public:
    static void give() noexcept { is_given_ = true; }
    [[nodiscard]] static bool is_given() noexcept { return is_given_; }
    [[nodiscard]] static bool take() noexcept { return std::exchange(is_given_, false); }

private:
    static constinit thread_local bool is_given_;
};

}  // namespace eddy::detail
