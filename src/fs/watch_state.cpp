#include "fs/watch_state.hpp"

#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"

#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <set>

namespace eddy::detail {

namespace {

std::string join(const std::string& directory, std::string_view name) {
    return directory.empty() ? std::string(name) : directory + '/' + std::string(name);
}

bool is_at_or_below(std::string_view path, std::string_view directory) noexcept {
    return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

// Whether what was a directory is none any more.
bool has_gone(int result) noexcept {
    return result == -ENOENT || result == -ENOTDIR || result == -ELOOP;
}

// On the pool: watches a directory, and in a tree those below it. A directory is watched before it is listed, so
// that what is made in between is found one way or the other.
class directory_scan {
public:
    directory_scan(pooled_descriptor watch, file_path top, watch_state::new_directory begin,
                   bool is_recursive)
        : watch_(std::move(watch)),
          top_(std::move(top)),
          begin_(std::move(begin)),
          is_recursive_(is_recursive) {}

    watch_state::found_directories operator()() {
        const int result = scan(begin_.path);
        // A directory that is gone by now is none. The topmost must be there.
        if (begin_.path.empty() || !has_gone(result))
            require_done(result, "watch", full_path(begin_.path));
        return std::move(found_);
    }

private:
    [[nodiscard]] file_path full_path(const std::string& path) const {
        return path.empty() ? top_ : file_path(top_.text() + '/' + path);
    }

    [[nodiscard]] int scan(const std::string& directory) {
        io::file_system& files = watch_.files();
        const file_path path = full_path(directory);
        const int number = files.add_watch(watch_.get(), path.checked(), directory.empty());
        if (number < 0)
            return number;
        found_.watches.emplace_back(number, directory);
        return is_recursive_ || begin_.is_notified ? list(directory, path) : 0;
    }

    [[nodiscard]] int list(const std::string& directory, const file_path& path) {
        const auto reader = watch_.files().read_directory(path.text(), directory.empty(), 1);
        std::vector<std::string> below;
        io::directory_batch batch;
        while (true) {
            batch.clear();
            if (const int result = reader->read(batch); result < 0)
                return result;
            if (batch.entries.empty())
                break;
            for (const auto& entry : batch.entries) {
                const bool is_directory = entry.kind == io::entry_kind::directory;
                std::string found = join(directory, batch.name(entry));
                if (begin_.is_notified)
                    found_.made.push_back({directory_change::change_kind::created, is_directory, found, {}});
                if (is_directory && is_recursive_)
                    below.push_back(std::move(found));
            }
        }
        for (const std::string& inner : below) {
            const int result = scan(inner);
            if (result < 0 && !has_gone(result) && result != -EACCES)
                return result;
        }
        return 0;
    }

    pooled_descriptor watch_;
    file_path top_;
    watch_state::new_directory begin_;
    bool is_recursive_;
    watch_state::found_directories found_;
};

}  // namespace

awaited_events::awaited_events(watch_state& state) noexcept
    : awaited_operation(state.backend(), io::opcode::read), state_(state) {
    descriptor = state.descriptor();
    address = state.room().data();
    size = state.room().size();
}

awaited_events::~awaited_events() {
    withdraw_if_pending();
    if (was_awaited() && !is_taken_ && result() > 0)
        state_.keep_events(static_cast<std::size_t>(result()));
}

void awaited_events::await_resume() {
    io::require_done(result(), "watch");
    is_taken_ = true;
    state_.keep_events(static_cast<std::size_t>(result()));
}

watch_state::watch_state(owned_descriptor descriptor, io::file_system& files, file_path top,
                         bool is_recursive)
    : files_(files), descriptor_(std::move(descriptor)), top_(std::move(top)), is_recursive_(is_recursive) {
    unwatched_.push_back({});
}

task<> watch_state::catch_up() {
    while (!unwatched_.empty()) {
        directory_scan scan(duplicate_for_pool(files_, descriptor()), top_, unwatched_.front(),
                            is_recursive_);
        found_directories found = co_await offload(std::move(scan));
        if (unwatched_.front().path.empty())
            remove_watches_but(found);
        for (auto& [number, path] : found.watches) {
            if (path.empty())
                top_watch_ = number;
            watches_.insert_or_assign(number, std::move(path));
        }
        for (directory_change& made : found.made)
            changes_.push_back({std::move(made)});
        unwatched_.pop_front();
    }
}

task<std::optional<directory_change>> watch_state::next() {
    while (true) {
        if (kept_bytes_ > 0)
            take_events(kept_bytes_);
        if (!unwatched_.empty())
            co_await catch_up();
        if (!changes_.empty() && changes_.front().cookie != 0)
            co_await await_other_end();
        if (kept_bytes_ > 0 || !unwatched_.empty())
            continue;
        if (!changes_.empty()) {
            directory_change given = std::move(changes_.front().change);
            changes_.pop_front();
            co_return given;
        }
        if (is_over_)
            co_return std::nullopt;
        awaited_events reading(*this);
        co_await reading;
    }
}

// Both ends of a move are reported one right after the other, but another event may stand between them, and
// they may come with two reads.
task<> watch_state::await_other_end() {
    constexpr auto patience = std::chrono::milliseconds(2);
    if (files_.unread_bytes(descriptor()) <= 0)
        co_await sleep_for(patience);
    if (files_.unread_bytes(descriptor()) > 0) {
        awaited_events reading(*this);
        co_await reading;
        take_events(kept_bytes_);
    }
    settle_moves();
}

// What has no second end by now has left the tree.
void watch_state::settle_moves() {
    for (queued_change& queued : changes_) {
        if (queued.cookie != 0 && queued.change.is_directory)
            remove_watches(queued.change.path);
        queued.cookie = 0;
    }
}

void watch_state::take_events(std::size_t count) {
    std::span<const std::byte> rest = std::span(events_).first(count);
    io::watch_event event;
    while (files_.take_event(rest, event))
        take_event(event);
    kept_bytes_ = 0;
}

void watch_state::take_event(const io::watch_event& event) {
    using enum io::watch_event::event_kind;
    if (event.kind == overflow) {
        add(change_kind::overflow, event, {});
        watch_later({}, false);
        return;
    }
    const auto known = watches_.find(event.watch);
    if (known == watches_.end())
        return;
    if (event.kind == gone) {
        is_over_ |= event.watch == top_watch_;
        watches_.erase(known);
        return;
    }
    // What happens to a directory itself is reported by its parent.
    if (event.name.empty())
        return;
    std::string path = join(known->second, event.name);
    switch (event.kind) {
        case created:
            if (event.is_directory && is_recursive_)
                watch_later(path, true);
            return add(change_kind::created, event, std::move(path));
        case removed:
            return add(change_kind::removed, event, std::move(path));
        case moved_from:
            return add(change_kind::removed, event, std::move(path), event.cookie);
        case moved_to:
            return end_move(event, std::move(path));
        case modified:
            return add(change_kind::modified, event, std::move(path));
        case closed:
            return add(change_kind::closed, event, std::move(path));
        case attributes:
            return add(change_kind::attributes, event, std::move(path));
        default:
            return;
    }
}

void watch_state::end_move(const io::watch_event& event, std::string path) {
    const auto begun = std::ranges::find(changes_, event.cookie, &queued_change::cookie);
    if (begun == changes_.end()) {
        if (event.is_directory && is_recursive_)
            watch_later(path, true);
        return add(change_kind::created, event, std::move(path));
    }
    begun->cookie = 0;
    begun->change.kind = change_kind::renamed;
    begun->change.from = std::exchange(begun->change.path, std::move(path));
    if (event.is_directory)
        rename_watches(begun->change.from, begun->change.path);
}

void watch_state::add(change_kind kind, const io::watch_event& event, std::string path,
                      std::uint32_t cookie) {
    changes_.push_back({{kind, event.is_directory, std::move(path), {}}, cookie});
}

void watch_state::watch_later(std::string path, bool is_notified) {
    unwatched_.push_back({std::move(path), is_notified});
}

void watch_state::rename_watches(const std::string& from, const std::string& to) {
    const auto rename = [&](std::string& path) {
        if (is_at_or_below(path, from))
            path = to + path.substr(from.size());
    };
    for (auto& [number, path] : watches_)
        rename(path);
    for (new_directory& waiting : unwatched_)
        rename(waiting.path);
}

// What has left the tree unseen, since too much has happened.
void watch_state::remove_watches_but(const found_directories& found) {
    std::set<int> there;
    for (const auto& [number, path] : found.watches)
        there.insert(number);
    std::erase_if(watches_, [&](const auto& watched) {
        const bool is_lost = !there.contains(watched.first);
        if (is_lost)
            files_.remove_watch(descriptor(), watched.first);
        return is_lost;
    });
}

void watch_state::remove_watches(const std::string& path) {
    for (auto each = watches_.begin(); each != watches_.end();) {
        if (!is_at_or_below(each->second, path)) {
            ++each;
            continue;
        }
        files_.remove_watch(descriptor(), each->first);
        each = watches_.erase(each);
    }
}

}  // namespace eddy::detail
