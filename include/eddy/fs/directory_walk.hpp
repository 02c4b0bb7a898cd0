#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/io/detail/directory_reader.hpp>
#include <eddy/io/detail/file_system.hpp>
#include <eddy/runtime/offload.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy {

/// What a directory holds, as it was when the directory was read. Its texts are valid until next() is called again
/// or the walk moves.
class directory_entry {
public:
    /// Made by directory_walk.
    directory_entry(const io::directory_batch& batch, const io::directory_batch::entry& described) noexcept
        : batch_(&batch), described_(&described) {}

    /// Its name in its directory: bytes of any kind but '/' and NUL.
    [[nodiscard]] std::string_view name() const noexcept { return batch_->name(*described_); }
    /// Its path from the directory in which the walk began.
    [[nodiscard]] std::string_view relative_path() const noexcept { return batch_->path(*described_); }
    /// A symbolic link is reported as one, wherever it leads. Unknown only for what has been removed
    /// meanwhile.
    [[nodiscard]] io::entry_kind kind() const noexcept { return described_->kind; }
    /// The number of its inode.
    [[nodiscard]] std::uint64_t inode() const noexcept { return described_->inode; }
    /// How many directories lie above it: 1 for what the first directory holds.
    [[nodiscard]] std::uint32_t depth() const noexcept { return described_->depth; }
    /// Why the directory, which was returned before, could not be read: the walk leaves out what it holds.
    [[nodiscard]] std::error_code error() const noexcept {
        return {-described_->error, std::system_category()};
    }

private:
    const io::directory_batch* batch_;
    const io::directory_batch::entry* described_;
};

namespace detail {

/// What a walk shares with the offload pool.
class walk_state {
public:
    walk_state(std::unique_ptr<io::directory_reader> reader, file_path path) noexcept
        : reader_(std::move(reader)), path_(std::move(path)) {}

    /// On the pool: fills the next batch, unless a call whose awaiter was dropped has done so.
    void fill() noexcept;

    // On the worker.
    [[nodiscard]] bool is_filled() const noexcept { return is_filled_.load(std::memory_order_acquire); }
    /// Takes the batch that has been filled, in exchange for a used one. Returns the error that ended the
    /// reading, or 0. Requires: is_filled().
    [[nodiscard]] int take(io::directory_batch& out) noexcept;
    [[nodiscard]] const file_path& path() const noexcept { return path_; }

private:
    std::unique_ptr<io::directory_reader> reader_;
    file_path path_;
    std::mutex reading_;
    io::directory_batch filled_;
    int error_ = 0;
    std::atomic<bool> is_filled_ = false;
};

/// The call that goes to the pool.
class walk_filling {
public:
    explicit walk_filling(std::shared_ptr<walk_state> state) noexcept : state_(std::move(state)) {}
    void operator()() noexcept { state_->fill(); }

private:
    std::shared_ptr<walk_state> state_;
};

}  // namespace detail

/// The entries of a directory, or of a tree, one by one: an async sequence. A directory comes before what it holds;
/// there is no other order. What is made, removed or renamed meanwhile may be returned or not.
///
///     auto found = fs::walk("src");
///     while (const auto entry = co_await found.next())
///         use(entry->relative_path());
///
/// - It never leaves the tree: symbolic links are returned and not followed, not even one that replaces a
///   directory meanwhile.
/// - Ownership: moves, does not copy; does not move while a task waits for next().
/// - Cancellation: dropping next() loses no entry: the following one returns it. Dropping the walk never
///   waits.
/// - Errors: a directory that cannot be read is returned once more, with its error(). If the first cannot be
///   read, or memory is exhausted, next() throws std::system_error and the walk ends.
/// - Thread safety: none; it belongs to its worker.
/// - Cost: batches of up to 1024 entries are read on the offload pool; most calls of next() wait for nothing
///   and allocate nothing. It has two or three descriptors open, however deep the tree.
class directory_walk {
public:
    /// Made by directory::walk() and the like.
    directory_walk(std::unique_ptr<io::directory_reader> reader, file_path path)
        : state_(std::make_shared<detail::walk_state>(std::move(reader), std::move(path))) {}

    class [[nodiscard]] next_awaiter {
    public:
        explicit next_awaiter(directory_walk& requested) noexcept : walk_(requested) {}

        bool await_ready() const noexcept { return walk_.knows_next(); }
        void await_suspend(detail::suspension point) {
            filling_.emplace(offload(detail::walk_filling(walk_.state_)));
            filling_->await_suspend(point);
        }
        std::optional<directory_entry> await_resume() {
            if (filling_)
                filling_->await_resume();
            return walk_.take();
        }

    private:
        directory_walk& walk_;
        std::optional<offload_awaiter<detail::walk_filling>> filling_;
    };

    /// The next entry; empty at the end, also when called again. Requires: awaited on a worker, by one task
    /// at a time; the walk outlives it.
    next_awaiter next() noexcept { return next_awaiter(*this); }

private:
    [[nodiscard]] bool knows_next() const noexcept {
        return next_ < batch_.entries.size() || is_over_ || state_->is_filled();
    }
    std::optional<directory_entry> take();

    std::shared_ptr<detail::walk_state> state_;
    io::directory_batch batch_;
    std::size_t next_ = 0;
    bool is_over_ = false;
};

/// How a tree is walked.
class walk_options {
public:
    walk_options() noexcept = default;
    /// How deep: 1 for the directory's own entries. Everything by default, up to 65535.
    walk_options& depth_max(std::uint32_t depth) noexcept {
        depth_max_ = depth;
        return *this;
    }
    [[nodiscard]] std::uint32_t depth_max() const noexcept { return depth_max_; }

private:
    std::uint32_t depth_max_ = std::numeric_limits<std::uint16_t>::max();
};

namespace fs {

/// The entries of a directory. A symbolic link at the path's end is followed. Throws std::bad_alloc, and
/// std::system_error for a path that holds a NUL byte. Requires: the caller is on a worker.
[[nodiscard]] directory_walk entries(const file_path& path);
/// The entries of a directory and of the directories below it. As above.
[[nodiscard]] directory_walk walk(const file_path& path, const walk_options& options = {});

}  // namespace fs

}  // namespace eddy
