#pragma once

#include "broadcast/line.hpp"
#include "broadcast/receiver.hpp"

#include <cstddef>
#include <vector>

namespace eddy::apps {

/// The receivers of one worker.
class room {
public:
    /// A receiver's membership: ends with this object.
    class stay {
    public:
        stay(room& joined, receiver& who);
        stay(const stay&) = delete;
        stay& operator=(const stay&) = delete;
        ~stay();

    private:
        room& room_;
        receiver& who_;
    };

    /// Returns a line to all but the one that has said it.
    void deliver(const shared_line& said, const receiver* speaker);
    /// Ends all members, and later ones too.
    void finish() noexcept;

private:
    std::vector<receiver*> receivers_;
    bool is_finished_ = false;
};

}  // namespace eddy::apps
