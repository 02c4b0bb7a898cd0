#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace eddy::test {

/// Part of a file whose reading takes the system long (tens of milliseconds), is cut short by nothing, and
/// can be watched: pages of this process that nobody has touched, read through /proc/self/mem. A page becomes
/// resident when its turn has come. What is read are zeros.
class slow_file {
public:
    static constexpr std::size_t size = 16U << 20;

    slow_file()
        : page_bytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
          pages_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        EXPECT_NE(pages_, MAP_FAILED);
        // Large pages would be few.
        static_cast<void>(::madvise(pages_, size, MADV_NOHUGEPAGE));
    }
    slow_file(const slow_file&) = delete;
    slow_file& operator=(const slow_file&) = delete;
    ~slow_file() { ::munmap(pages_, size); }

    /// Opens the file; the descriptor is the caller's. Without O_NONBLOCK, which io_uring takes for a promise
    /// that reading does not take long.
    [[nodiscard]] static int open() {
        const int opened = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
        EXPECT_GE(opened, 0);
        return opened;
    }
    /// Where in the file the part begins.
    [[nodiscard]] std::uint64_t offset() const noexcept { return reinterpret_cast<std::uintptr_t>(pages_); }

    [[nodiscard]] bool has_begun() const noexcept { return is_resident(0); }
    [[nodiscard]] bool has_ended() const noexcept { return is_resident(size - page_bytes_); }
    /// Wait, without letting anybody else run on this thread; false if it does not happen.
    [[nodiscard]] bool wait_until_begun() const noexcept { return look_for(&slow_file::has_begun); }
    [[nodiscard]] bool wait_until_ended() const noexcept { return look_for(&slow_file::has_ended); }

private:
    bool look_for(bool (slow_file::*what)() const noexcept) const noexcept {
        constexpr int looks_max = 20'000'000;
        for (int look = 0; look < looks_max; ++look)
            if ((this->*what)())
                return true;
        return false;
    }
    [[nodiscard]] bool is_resident(std::size_t at) const noexcept {
        unsigned char answer = 0;
        return ::mincore(static_cast<std::byte*>(pages_) + at, page_bytes_, &answer) == 0 &&
               (answer & 1U) != 0;
    }

    std::size_t page_bytes_;
    void* pages_;
};

}  // namespace eddy::test
