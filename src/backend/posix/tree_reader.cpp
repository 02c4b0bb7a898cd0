#include "backend/posix/tree_reader.hpp"

#include "backend/posix/directory_listing.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::backends {

namespace {

// How much is read before the batch is handed over: enough that passing it between threads costs little, and
// few enough that the first entries arrive soon.
constexpr std::size_t batch_entries_max = 1024;
constexpr std::size_t batch_bytes_max = 128 * 1024;

// One directory is open at a time beside the topmost. Those that are to be read are on a stack, by their paths;
// each is opened from the topmost without following a symbolic link, so that a link that replaces a directory
// does not lead the walk out of the tree.
class tree_reader final : public io::directory_reader {
public:
    tree_reader(std::string path, bool follows_link, std::uint32_t depth_max)
        : top_path_(std::move(path)), follows_link_(follows_link), depth_max_(depth_max) {}
    ~tree_reader() override {
        if (top_ >= 0)
            ::close(top_);
    }

    int read(io::directory_batch& out) override;

private:
    struct pending {
        std::string path;
        std::uint16_t depth;
    };

    [[nodiscard]] int begin();
    [[nodiscard]] bool open_next(io::directory_batch& out);
    void add(io::directory_batch& out, const directory_listing::entry& found);
    void add_error(io::directory_batch& out, int error);
    [[nodiscard]] io::entry_kind kind_of(const directory_listing::entry& found) const noexcept;

    std::string top_path_;
    bool follows_link_;
    std::uint32_t depth_max_;
    int top_ = -1;
    bool has_begun_ = false;
    directory_listing listed_;
    pending current_;             // the directory that is listed: its path with a slash behind, or empty
    std::vector<pending> stack_;  // directories that are to be read, by their paths
};

int tree_reader::begin() {
    has_begun_ = true;
    if (const int result = listed_.open(top_path_.c_str(), follows_link_); result < 0)
        return result;
    if (depth_max_ > 1) {
        top_ = ::fcntl(listed_.descriptor(), F_DUPFD_CLOEXEC, 0);
        if (top_ < 0)
            return -errno;
    }
    current_ = {{}, 1};
    return 0;
}

int tree_reader::read(io::directory_batch& out) {
    if (!has_begun_) {
        if (const int result = begin(); result < 0)
            return result;
    }
    while (out.entries.size() < batch_entries_max && out.paths.size() < batch_bytes_max) {
        if (!listed_.is_open() && !open_next(out))
            break;
        if (!listed_.is_open())
            continue;
        directory_listing::entry found{};
        const int result = listed_.next(found);
        if (result > 0) {
            add(out, found);
            continue;
        }
        listed_.close();
        if (result < 0 && current_.depth == 1)
            return result;
        if (result < 0)
            add_error(out, result);
    }
    return 0;
}

// False if there is none.
bool tree_reader::open_next(io::directory_batch& out) {
    if (stack_.empty())
        return false;
    current_ = std::move(stack_.back());
    stack_.pop_back();
    const int result = listed_.open_below(top_, current_.path.c_str());
    // It has gone, or become something else, since it was listed: then it is no directory to be read.
    if (result < 0 && result != -ENOENT && result != -ENOTDIR && result != -ELOOP)
        add_error(out, result);
    current_.path += '/';
    return true;
}

io::entry_kind tree_reader::kind_of(const directory_listing::entry& found) const noexcept {
    if (found.kind != io::entry_kind::unknown)
        return found.kind;
    struct stat status{};
    if (::fstatat(listed_.descriptor(), found.name.data(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return io::entry_kind::unknown;
    if (S_ISREG(status.st_mode))
        return io::entry_kind::regular;
    if (S_ISDIR(status.st_mode))
        return io::entry_kind::directory;
    return S_ISLNK(status.st_mode) ? io::entry_kind::symbolic_link : io::entry_kind::other;
}

void tree_reader::add(io::directory_batch& out, const directory_listing::entry& found) {
    const io::entry_kind kind = kind_of(found);
    const auto path_begin = static_cast<std::uint32_t>(out.paths.size());
    out.paths += current_.path;
    const auto name_begin = static_cast<std::uint32_t>(out.paths.size());
    out.paths += found.name;
    const auto path_end = static_cast<std::uint32_t>(out.paths.size());
    out.paths += '\0';
    out.entries.push_back({found.inode, path_begin, name_begin, path_end, current_.depth, kind, 0});
    if (kind == io::entry_kind::directory && current_.depth < depth_max_)
        stack_.push_back({out.paths.substr(path_begin, path_end - path_begin),
                          static_cast<std::uint16_t>(current_.depth + 1)});
}

void tree_reader::add_error(io::directory_batch& out, int error) {
    const auto path_begin = static_cast<std::uint32_t>(out.paths.size());
    out.paths += current_.path;
    if (out.paths.size() > path_begin && out.paths.back() == '/')
        out.paths.pop_back();
    const auto path_end = static_cast<std::uint32_t>(out.paths.size());
    out.paths += '\0';
    const auto slash = out.paths.rfind('/', path_end);
    const bool is_nested = slash != std::string::npos && slash >= path_begin;
    const auto name_begin = is_nested ? static_cast<std::uint32_t>(slash + 1) : path_begin;
    const auto depth = static_cast<std::uint16_t>(current_.depth - 1);
    out.entries.push_back({0, path_begin, name_begin, path_end, depth, io::entry_kind::directory, error});
}

}  // namespace

std::unique_ptr<io::directory_reader> make_tree_reader(std::string path, bool follows_link,
                                                       std::uint32_t depth_max) {
    return std::make_unique<tree_reader>(std::move(path), follows_link, depth_max);
}

}  // namespace eddy::backends
