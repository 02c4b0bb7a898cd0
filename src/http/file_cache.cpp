#include <eddy/core/as_result.hpp>
#include <eddy/http/date.hpp>
#include <eddy/http/file_cache.hpp>
#include <eddy/http/media_type.hpp>
#include <eddy/runtime/worker.hpp>

#include <array>
#include <span>
#include <utility>

namespace eddy::http {

namespace {

// A change within this time of the last one may leave the time of change as it is: file systems keep it as
// coarsely as the system's tick, and their clocks may be a little behind.
constexpr std::int64_t coarse_time_ns = 1'000'000'000;

// How often a file that changes while it is read is read again.
constexpr int readings_max = 3;

std::string date_text(std::int64_t unix_seconds) {
    std::array<char, date_size> text{};
    format_date(unix_seconds, text);
    return {text.data(), text.size()};
}

bool is_recent(const io::file_status& status) noexcept {
    return worker::current().carrier().wall_clock_ns() - status.modified_ns < coarse_time_ns;
}

// Fills `content`; false if the file was shorter.
task<bool> read_whole(const file& opened, std::string& content) {
    std::size_t filled = 0;
    while (filled < content.size()) {
        const auto rest = std::as_writable_bytes(std::span(content)).subspan(filled);
        const std::size_t count = co_await opened.read_at(rest, filled);
        if (count == 0)
            co_return false;
        filled += count;
    }
    co_return true;
}

}  // namespace

cached_file::cached_file(const io::file_status& status, bool is_fresh, std::string_view path)
    : status_(status),
      is_tag_weak_(is_fresh),
      tag_(is_fresh ? entity_tag::weak(status.modified_ns, status.size)
                    : entity_tag::strong(status.modified_ns, status.size)),
      last_modified_(date_text(modified_seconds())) {
    fields_.add("Content-Type", media_type_of(path))
        .add("ETag", tag_.text())
        .add("Last-Modified", last_modified_)
        .add("Accept-Ranges", "bytes");
}

bool cached_file::is_same_version(const io::file_status& now) const noexcept {
    return status_.device == now.device && status_.inode == now.inode && status_.size == now.size &&
           status_.modified_ns == now.modified_ns && status_.kind == now.kind;
}

file_cache::file_pointer file_cache::find(std::string_view path) noexcept {
    const auto found = entries_.find(path);
    if (found == entries_.end())
        return nullptr;
    const auto where = found->second;
    if (worker::current().turn_time() - where->file->checked_at_ >= options_.validity())
        return nullptr;
    if (where != order_.begin())
        order_.splice(order_.begin(), order_, where);
    return where->file;
}

task<std::expected<file_cache::file_pointer, std::error_code>> file_cache::load(std::string path) {
    auto opened = co_await as_result(root_.open_file(path.empty() ? "." : path.c_str()));
    if (!opened) {
        forget(path);
        co_return std::unexpected(opened.error());
    }
    const io::file_status status = opened->status();
    if (const auto known = entries_.find(path); known != entries_.end()) {
        cached_file& old = *known->second->file;
        if (old.is_same_version(status) && !old.is_tag_weak_) {
            old.checked_at_ = worker::current().turn_time();
            order_.splice(order_.begin(), order_, known->second);
            co_return known->second->file;
        }
    }
    const cached_pointer made = co_await read(std::move(*opened), status, path);
    keep(std::move(path), made);
    co_return made;
}

task<file_cache::cached_pointer> file_cache::read(file opened, io::file_status status,
                                                  std::string_view path) {
    const std::string name(path);  // the caller's string may be moved while this task reads
    for (int reading = 0; reading < readings_max; ++reading) {
        cached_pointer made(new cached_file(status, is_recent(status), name));
        made->checked_at_ = worker::current().turn_time();
        if (!made->is_regular())
            co_return made;
        if (status.size > options_.small_file_bytes_max()) {
            made->opened_.emplace(std::move(opened));
            co_return made;
        }
        made->content_.emplace(static_cast<std::size_t>(status.size), '\0');
        const bool is_whole = co_await read_whole(opened, *made->content_);
        status = opened.status();
        if (is_whole && made->is_same_version(status))
            co_return made;
    }
    // It never stands still: what is said of it holds for the descriptor, and a body that turns out shorter
    // ends its connection.
    cached_pointer made(new cached_file(status, true, name));
    made->opened_.emplace(std::move(opened));
    co_return made;
}

void file_cache::keep(std::string path, const cached_pointer& made) {
    forget(path);
    if (options_.entries_max() == 0 || made->memory_bytes() > options_.memory_bytes_max())
        return;
    order_.push_front(entry{std::move(path), made});
    try {
        entries_.emplace(order_.front().path, order_.begin());
    } catch (...) {
        order_.pop_front();
        throw;
    }
    memory_bytes_ += made->memory_bytes();
    while (entries_.size() > options_.entries_max() || memory_bytes_ > options_.memory_bytes_max())
        erase(std::prev(order_.end()));
}

void file_cache::forget(std::string_view path) noexcept {
    if (const auto found = entries_.find(path); found != entries_.end())
        erase(found->second);
}

void file_cache::erase(entry_list::iterator where) noexcept {
    memory_bytes_ -= where->file->memory_bytes();
    entries_.erase(where->path);
    order_.erase(where);
}

}  // namespace eddy::http
