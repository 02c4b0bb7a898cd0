#pragma once

#include <string>
#include <utility>

namespace eddy::test {

/// What happened, in order: "a b ~b ~a".
class journal {
public:
    void note(const std::string& event) { text_ += text_.empty() ? event : " " + event; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    /// Notes its own end.
    class entry {
    public:
        entry(journal& where, std::string name) : where_(&where), name_(std::move(name)) {}
        entry(entry&& other) noexcept
            : where_(std::exchange(other.where_, nullptr)), name_(std::move(other.name_)) {}
        entry& operator=(entry&&) = delete;
        ~entry() {
            if (where_ != nullptr)
                where_->note("~" + name_);
        }

    private:
        journal* where_;
        std::string name_;
    };

private:
    std::string text_;
};

}  // namespace eddy::test
