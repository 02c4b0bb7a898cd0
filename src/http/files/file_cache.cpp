#include <eddy/core/as_result.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/http/files/file_cache.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/offload.hpp>
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

bool is_recent(const io::file_status& status) noexcept {
    return status.modified_ns >
           eddy::detail::worker_core::current().backend().system().clocks->wall_clock_ns() - coarse_time_ns;
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

// An encoded form is being made, until this goes.
class pending_mark {
public:
    explicit pending_mark(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    pending_mark(const pending_mark&) = delete;
    pending_mark& operator=(const pending_mark&) = delete;
    ~pending_mark() { flag_ = false; }

private:
    bool& flag_;
};

}  // namespace

file_cache::file_cache(directory root, file_cache_options options, const file_description& description)
    : root_(std::move(root)), options_(options), description_(description) {}

const file_description& file_cache::plain() noexcept {
    static const file_description none;
    return none;
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
    const char* const name = path.empty() ? "." : path.c_str();
    auto opened = co_await as_result(root_.open_file(name));
    if (!opened) {
        forget(path);
        co_return std::unexpected(opened.error());
    }
    const io::file_status status = opened->status();
    if (const auto known = entries_.find(path); known != entries_.end()) {
        cached_file& old = *known->second->file;
        if (old.is_same_version(status) && !old.is_fresh_) {
            old.checked_at_ = worker::current().turn_time();
            for (auto& one : old.encoded_)
                one.is_known = false;
            order_.splice(order_.begin(), order_, known->second);
            co_return known->second->file;
        }
    }
    const cached_pointer made =
        co_await read(std::move(*opened), status, cached_file::origin(path, description_));
    keep(std::move(path), made);
    co_return made;
}

task<file_cache::cached_pointer> file_cache::read(file opened, io::file_status status,
                                                  cached_file::origin from) {
    for (int reading = 0; reading < readings_max; ++reading) {
        cached_pointer made(new cached_file(status, is_recent(status), from));
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
    cached_pointer made(new cached_file(status, true, from));
    made->opened_.emplace(std::move(opened));
    co_return made;
}

task<file_cache::file_pointer> file_cache::load_encoded(std::string path, file_pointer plain,
                                                        content_coding coding) {
    // Everything that is const outside was made as cached_pointer here.
    const cached_pointer mine = std::const_pointer_cast<cached_file>(plain);
    auto& slot = mine->encoded_slot(coding);
    if (slot.is_known)
        co_return slot.form;
    if (slot.is_pending)
        co_return nullptr;
    const pending_mark mark(slot.is_pending);
    file_pointer found;
    if (options_.precompressed())
        found = co_await load_sibling(path, plain, coding);
    if (!found && slot.form && slot.form->is_made())
        found = slot.form;  // the file has not changed, or this would not be its object any more
    if (!found && options_.compresses() && plain->content() &&
        plain->size() >= options_.compressed_bytes_min())
        found = co_await encode(path, plain, coding);
    attach(path, plain, coding, found);
    co_return found;
}

task<file_cache::file_pointer> file_cache::load_sibling(std::string path, file_pointer plain,
                                                        content_coding coding) {
    const std::string name = path + (coding == content_coding::gzip ? ".gz" : ".br");
    auto opened = co_await as_result(root_.open_file(name.c_str()));
    if (!opened)
        co_return nullptr;
    const io::file_status status = opened->status();
    constexpr std::int64_t second_ns = 1'000'000'000;
    // Some encoders copy the time of the plain file without its fractions.
    const bool is_outdated = status.modified_ns / second_ns < plain->modified_seconds();
    if (status.kind != io::file_status::file_kind::regular || is_outdated)
        co_return nullptr;
    const auto& known = plain->encoded(coding);
    if (known && !known->is_made() && known->is_same_version(status) && !known->is_fresh_)
        co_return known;
    cached_file::origin from(path, description_);
    from.coding = coding;
    co_return co_await read(std::move(*opened), status, std::move(from));
}

task<file_cache::file_pointer> file_cache::encode(std::string path, file_pointer plain,
                                                  content_coding coding) {
    // It is made once and sent often.
    const auto options = content_encoder_options().gzip_level(9).brotli_quality(9);
    auto made = co_await as_result(offload(
        [](const std::string& content, content_coding into, const content_encoder_options& how) {
            return encode_content(as_bytes(content), into, how);
        },
        std::string(*plain->content()), coding, options));
    // Without a free thread it is sent as it is, as it is where too little is gained.
    if (!made || made->size() + plain->size() / 20 > plain->size())
        co_return nullptr;
    cached_file::origin from(std::move(path), description_);
    from.coding = coding;
    from.is_made = true;
    io::file_status status = plain->status_;
    status.size = made->size();
    const cached_pointer form(new cached_file(status, plain->is_fresh_, from));
    form->content_.emplace(std::move(*made));
    co_return form;
}

void file_cache::attach(std::string_view path, const file_pointer& plain, content_coding coding,
                        file_pointer encoded) noexcept {
    const cached_pointer mine = std::const_pointer_cast<cached_file>(plain);
    const std::size_t before = mine->memory_bytes();
    auto& slot = mine->encoded_slot(coding);
    slot.form = std::move(encoded);
    slot.is_known = true;
    // It may have gone from the cache meanwhile.
    if (const auto kept = entries_.find(path); kept != entries_.end() && kept->second->file == mine) {
        memory_bytes_ += mine->memory_bytes() - before;
        evict();
    }
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
    evict();
}

void file_cache::evict() noexcept {
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
