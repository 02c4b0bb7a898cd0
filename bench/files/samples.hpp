#pragma once

#include <cstdint>
#include <string>

namespace bench {

// A large file and a tree of 100,000 files, below TMPDIR, which the harness gives and removes. Made by the first
// measurement that asks, found by all that come later.
inline constexpr int files_of_tree = 100'000;
inline constexpr int directories_of_tree = 1'100;

// EDDY_BENCH_FILE_MIB, 256 MiB by default.
std::uint64_t sample_file_bytes();
// The large file's path. Its pages are in the page cache, and on the device.
std::string sample_file();
// The tree's path: 100 directories of 10, each with 100 files.
std::string sample_tree();

}  // namespace bench
