#pragma once

#include "contest/sample.hpp"
#include "files/samples.hpp"

#include <cstddef>
#include <cstdint>
#include <random>

namespace bench {

// How a file is read: `depth` reads of `bytes` are under way at any time, at places that follow each other or
// not, through the page cache or past it.
struct read_pattern {
    std::size_t bytes = 4096;
    int depth = 1;
    bool is_random = false;
    bool is_direct = false;
};

// Where the next read begins.
class places {
public:
    places(const read_pattern& pattern, std::uint64_t file_bytes)
        : bytes_(pattern.bytes), count_(file_bytes / pattern.bytes), is_random_(pattern.is_random) {}

    std::uint64_t next() {
        if (is_random_)
            return static_cast<std::uint64_t>(random_()) % count_ * bytes_;
        const std::uint64_t place = next_ * bytes_;
        next_ = next_ + 1 == count_ ? 0 : next_ + 1;
        return place;
    }

private:
    std::size_t bytes_;
    std::uint64_t count_;
    bool is_random_;
    std::uint64_t next_ = 0;
    std::mt19937_64 random_{42};
};

sample eddy_reads(double seconds, const samples_on_disk& samples, const read_pattern& pattern, bool is_epoll);
sample ring_reads(double seconds, const samples_on_disk& samples, const read_pattern& pattern);

sample eddy_walks(double seconds, const samples_on_disk& samples);
sample find_walks(double seconds, const samples_on_disk& samples);

}  // namespace bench
