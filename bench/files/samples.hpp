#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bench {

// A large file and a tree of 100,000 files, below TMPDIR. Made by whoever asks first, a forked measurement as
// well, found by all that come later, and removed with this.
class samples_on_disk {
public:
    static constexpr int files_of_tree = 100'000;
    static constexpr int directories_of_tree = 1'100;

    explicit samples_on_disk(std::uint64_t file_bytes);
    samples_on_disk(const samples_on_disk&) = delete;
    samples_on_disk& operator=(const samples_on_disk&) = delete;
    ~samples_on_disk();

    // The large file's path. Its pages are in the page cache, and on the device.
    std::string file() const;
    std::uint64_t file_bytes() const { return file_bytes_; }
    // The tree's path: 100 directories of 10, each with 100 files.
    std::string tree() const;

private:
    std::filesystem::path root_;
    std::uint64_t file_bytes_;
};

}  // namespace bench
