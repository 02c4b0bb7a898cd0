#pragma once

namespace eddy::http {

/// Notes a write that does not come to its end: it has failed, or the task that sends was dropped. How much
/// of it was sent is not known then, so nothing may follow it.
class write_attempt {
public:
    explicit write_attempt(bool& is_broken) noexcept : is_broken_(is_broken) {}
    write_attempt(const write_attempt&) = delete;
    write_attempt& operator=(const write_attempt&) = delete;
    ~write_attempt() { is_broken_ = is_broken_ || !is_complete_; }

    void complete() noexcept { is_complete_ = true; }

private:
    bool& is_broken_;
    bool is_complete_ = false;
};

}  // namespace eddy::http
