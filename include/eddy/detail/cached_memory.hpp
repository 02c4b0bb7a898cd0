#pragma once

#include <eddy/detail/intrusive_list.hpp>

#include <cstdint>
#include <utility>

namespace eddy::detail {

/// How much cached memory a trim has left behind.
enum class trim_rest : std::uint8_t {
    little,  ///< not worth another trim, until the keeper gives notice
    some,    ///< what may turn out to be needed, or not, until the next look
    much,    ///< the trim must continue at once: all in one piece would take too long
};

/// Keeps memory for reuse. The worker on which it is looks at it now and then (cache_trimmer), an idle one too
/// as long as there is something left.
///
/// Thread safety: belongs to its worker.
class trimmable_cache : public list_hook<trimmable_cache> {
public:
    /// Frees some of what was not needed since the last call. Takes a time that hardly depends on how much
    /// that is; resumes no task.
    [[nodiscard]] virtual trim_rest trim_some() noexcept = 0;

protected:
    trimmable_cache() = default;
    ~trimmable_cache() = default;
};

/// Notes that something on this thread keeps more memory than before, so that the worker trims it.
class trim_request {
public:
    static void give() noexcept { is_given_ = true; }
    [[nodiscard]] static bool is_given() noexcept { return is_given_; }
    [[nodiscard]] static bool take() noexcept { return std::exchange(is_given_, false); }

private:
    static constinit thread_local bool is_given_;
};

}  // namespace eddy::detail
