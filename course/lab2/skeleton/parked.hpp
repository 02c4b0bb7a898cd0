#pragma once

#include "support/list.hpp"

#include <coroutine>

namespace lab {

/// A suspended coroutine that something will resume. It lies in an awaiter, so in the coroutine's own frame: waiting
/// takes no memory, and when the frame is destroyed it leaves the list that it waits in.
class parked : public course::link {
public:
    std::coroutine_handle<> frame;
};

}  // namespace lab
