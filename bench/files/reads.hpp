#pragma once

#include "files/samples.hpp"
#include "measure/sample.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <cstddef>
#include <cstdint>
#include <random>

namespace bench {

// How a file is read: `depth` reads of `bytes` are under way at any time, at places that follow each other or
// not, through the page cache or past it.
struct read_work {
    double seconds = 0;
    std::size_t bytes = 4096;
    int depth = 1;
    bool is_random = false;
    bool is_direct = false;
};

// Where the next read begins.
class places {
public:
    explicit places(const read_work& work)
        : bytes_(work.bytes), count_(sample_file_bytes() / work.bytes), is_random_(work.is_random) {}

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

template <eddy::backend_kind Backend>
sample eddy_reads(const read_work& work);
sample ring_reads(const read_work& work);

sample eddy_walks(double seconds);
sample find_walks(double seconds);

}  // namespace bench
