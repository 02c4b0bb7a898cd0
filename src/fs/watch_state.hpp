#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/detail/pooled_descriptor.hpp>
#include <eddy/fs/directory_watch.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/file_system.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::detail {

class watch_state;

/// Awaits events. What was read when it is dropped stays with the watch.
class awaited_events : public io::awaited_operation<io::operation> {
public:
    explicit awaited_events(watch_state& state) noexcept;
    awaited_events(awaited_events&&) = delete;
    awaited_events& operator=(awaited_events&&) = delete;
    ~awaited_events();
    void await_resume();

private:
    watch_state& state_;
    bool is_taken_ = false;
};

/// What a directory_watch keeps where it cannot move.
///
/// Directories that are to be watched stand in a queue until they are: by a call on the pool that changes nothing
/// here and may be made twice, so it does not matter if it is dropped. Nothing is read before that queue is
/// empty, so that events only come from directories that are known.
class watch_state {
public:
    watch_state(owned_descriptor descriptor, io::file_system& files, file_path top, bool is_recursive);

    [[nodiscard]] task<std::optional<directory_change>> next();
    /// Watches all that is to be watched.
    [[nodiscard]] task<> catch_up();

    [[nodiscard]] io::backend& backend() const noexcept { return descriptor_.backend(); }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }
    [[nodiscard]] std::span<std::byte> room() noexcept { return events_; }
    /// Makes changes of what was read.
    void take_events(std::size_t count);
    /// Keeps what was read until next() is called again.
    void keep_events(std::size_t count) noexcept { kept_bytes_ = count; }

    /// A directory that is to be watched, and whether what it holds is reported as created.
    struct new_directory {
        std::string path;
        bool is_notified = false;
    };
    /// What the pool has found of one: the directories, with their numbers, and what they hold.
    struct found_directories {
        std::vector<std::pair<int, std::string>> watches;
        std::vector<directory_change> made;
    };

private:
    using change_kind = directory_change::change_kind;
    struct queued_change {
        directory_change change;
        std::uint32_t cookie = 0;  // of a move, the other end of which has not been seen
    };

    void take_event(const io::watch_event& event);
    void end_move(const io::watch_event& event, std::string path);
    void add(change_kind kind, const io::watch_event& event, std::string path, std::uint32_t cookie = 0);
    void watch_later(std::string path, bool is_notified);
    void rename_watches(const std::string& from, const std::string& to);
    void remove_watches(const std::string& path);
    void remove_watches_but(const found_directories& found);
    void settle_moves();
    [[nodiscard]] task<> await_other_end();

    io::file_system& files_;
    owned_descriptor descriptor_;
    file_path top_;
    bool is_recursive_;
    bool is_over_ = false;
    int top_watch_ = -1;
    std::map<int, std::string> watches_;  // the paths of the directories, empty for the topmost
    std::deque<new_directory> unwatched_;
    std::deque<queued_change> changes_;
    std::size_t kept_bytes_ = 0;
    alignas(8) std::array<std::byte, 16 * 1024> events_;
};

}  // namespace eddy::detail
