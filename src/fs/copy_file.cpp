#include "fs/file_error.hpp"
#include "fs/pending_file.hpp"
#include "fs/pool_files.hpp"

#include <eddy/fs/detail/pooled_descriptor.hpp>
#include <eddy/fs/names.hpp>

#include <cerrno>
#include <memory>
#include <utility>

namespace eddy::fs {

namespace {

using detail::require_done;

// A copy that is being made. It belongs to the calls on the pool as well.
class unfinished_copy {
public:
    unfinished_copy(io::file_system& files, file_path from, file_path to) noexcept
        : files_(files),
          from_(std::move(from)),
          source_(files, -1),
          made_(files, std::move(to), "copy to", detail::random_bits()) {}
    unfinished_copy(const unfinished_copy&) = delete;
    unfinished_copy& operator=(const unfinished_copy&) = delete;
    ~unfinished_copy() = default;

    // Each of these on the pool, one after the other.
    void begin();
    /// False once everything is copied.
    [[nodiscard]] bool copy_some();
    void take_place(bool keeps_existing) { made_.take_place(keeps_existing); }

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    io::file_system& files_;
    file_path from_;
    detail::pooled_descriptor source_;
    detail::pending_file made_;
    std::uint64_t bytes_ = 0;
    bool is_copied_ = false;
};

void unfinished_copy::begin() {
    static_cast<void>(made_.target().checked());
    source_ = detail::pooled_descriptor(files_, files_.open(from_.checked(), io::open_read, 0));
    require_done(source_.get(), "open", from_);
    io::file_status status;
    require_done(files_.status_of(source_.get(), status), "look at", from_);
    if (status.kind == io::file_status::file_kind::directory)
        detail::throw_file_error(-EISDIR, "copy", from_);
    if (status.kind != io::file_status::file_kind::regular)
        detail::throw_file_error(-EINVAL, "copy", from_);
    made_.make(0600);
    made_.require(files_.set_permissions(made_.descriptor(), status.permissions & 0777));
    is_copied_ = status.size > 0 && files_.clone(source_.get(), made_.descriptor()) == 0;
    if (is_copied_)
        bytes_ = status.size;
}

bool unfinished_copy::copy_some() {
    constexpr std::uint64_t bytes_at_once = 4 << 20;
    std::uint64_t copied = 0;
    while (!is_copied_ && copied < bytes_at_once) {
        const std::int64_t more = files_.copy_some(source_.get(), made_.descriptor(), bytes_at_once - copied);
        made_.require(more);
        copied += static_cast<std::uint64_t>(more);
        is_copied_ = more == 0;
    }
    bytes_ += copied;
    return !is_copied_;
}

using shared_copy = std::shared_ptr<unfinished_copy>;

bool begin_on_pool(const shared_copy& copy) {
    copy->begin();
    return copy->copy_some();
}

task<std::uint64_t> copy(file_path from, file_path to, bool keeps_existing) {
    const auto made = std::make_shared<unfinished_copy>(detail::pool_files(), std::move(from), std::move(to));
    bool has_more = co_await offload(work_kind::short_running, &begin_on_pool, shared_copy(made));
    while (has_more)
        has_more = co_await offload(
            work_kind::short_running, [](const shared_copy& shared) { return shared->copy_some(); },
            shared_copy(made));
    co_await offload(
        work_kind::short_running, [](const shared_copy& shared, bool keeps) { shared->take_place(keeps); },
        shared_copy(made), keeps_existing);
    co_return made->bytes();
}

}  // namespace

task<std::uint64_t> copy_file(file_path from, file_path to) {
    return copy(std::move(from), std::move(to), false);
}

task<std::uint64_t> copy_file_new(file_path from, file_path to) {
    return copy(std::move(from), std::move(to), true);
}

}  // namespace eddy::fs
