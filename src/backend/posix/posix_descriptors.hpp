#pragma once

#include "backend/posix/opening.hpp"

#include <eddy/io/detail/descriptors.hpp>

namespace eddy::backends {

class posix_descriptors final : public io::descriptors {
public:
    explicit posix_descriptors(opening how) noexcept : how_(how) {}

    int open_directory(const char* path) noexcept override;
    int open_pipe(int& reading, int& writing) noexcept override;
    int open_signals(std::span<const int> signals) noexcept override;
    void make_blocking(int descriptor) noexcept override;

private:
    opening how_;
};

}  // namespace eddy::backends
