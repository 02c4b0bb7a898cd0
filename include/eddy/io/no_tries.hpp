#pragma once

namespace eddy::io {

/// For tools that test: while one lives, the operations that this thread awaits are submitted without having
/// been tried at once, so that a success can be brought about while they are under way.
class no_tries {
public:
    no_tries() noexcept;
    no_tries(const no_tries&) = delete;
    no_tries& operator=(const no_tries&) = delete;
    ~no_tries();
};

}  // namespace eddy::io
