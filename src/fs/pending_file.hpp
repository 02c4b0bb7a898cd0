#pragma once

#include "fs/file_error.hpp"
#include "fs/unique_name.hpp"

#include <eddy/fs/detail/pooled_descriptor.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/io/detail/file_system.hpp>
#include <eddy/io/detail/operation.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace eddy::detail {

/// A new file beside its target, under a unique name. It is removed unless it has replaced its target. For
/// calls on the pool, one after the other.
class pending_file {
public:
    /// `what`: what is to be done with the target, for messages; `bits`: random ones, for the name. Requires:
    /// `what` stays.
    pending_file(io::file_system& files, file_path target, const char* what, std::uint64_t bits) noexcept
        : target_(std::move(target)), what_(what), bits_(bits), name_(std::string()), made_(files, -1) {}
    pending_file(const pending_file&) = delete;
    pending_file& operator=(const pending_file&) = delete;
    ~pending_file() {
        if (made_.get() >= 0 && !is_renamed_)
            static_cast<void>(files().remove(name_.text().c_str()));
    }

    /// Makes the file, for writing. Throws std::system_error.
    void make(std::uint32_t mode) {
        constexpr std::uint64_t flags = io::open_write | io::open_no_read | io::open_create_new;
        name_ = unique_name(target_.parent(), bits_);
        made_ = pooled_descriptor(files(), files().open(name_.checked(), flags, mode));
        require(made_.get());
    }
    /// Throws std::system_error. Requires: it was made.
    void take_place(bool keeps_existing) {
        require(files().rename(name_.checked(), target_.checked(), keeps_existing));
        is_renamed_ = true;
    }

    [[nodiscard]] const file_path& target() const noexcept { return target_; }
    [[nodiscard]] int descriptor() const noexcept { return made_.get(); }
    [[nodiscard]] io::file_system& files() const noexcept { return made_.files(); }
    /// Throws std::system_error if the result is an error, with a message that names the target.
    void require(std::int64_t result) const { require_done(result, what_, target_); }

private:
    file_path target_;
    const char* what_;
    std::uint64_t bits_;
    file_path name_;
    pooled_descriptor made_;
    bool is_renamed_ = false;
};

}  // namespace eddy::detail
