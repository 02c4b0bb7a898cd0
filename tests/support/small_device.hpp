#pragma once

#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <sched.h>
#include <string>
#include <sys/mount.h>

namespace eddy::test {

/// A folder with a file system of its own that is full after so many KiB, seen by this process only. Making
/// one takes rights that not everybody has.
class small_device {
public:
    explicit small_device(int size_kib) {
        // Whatever is mounted from here on stays with this process.
        is_there_ = ::unshare(CLONE_NEWNS) == 0 &&
                    ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                    ::mount("none", place_.root().c_str(), "tmpfs", 0,
                            ("size=" + std::to_string(size_kib) + "k").c_str()) == 0;
    }
    small_device(const small_device&) = delete;
    small_device& operator=(const small_device&) = delete;
    ~small_device() {
        if (is_there_)
            ::umount2(place_.root().c_str(), MNT_DETACH);
    }

    [[nodiscard]] bool is_there() const noexcept { return is_there_; }
    [[nodiscard]] const scratch_folder& place() const noexcept { return place_; }

private:
    scratch_folder place_;
    bool is_there_ = false;
};

}  // namespace eddy::test
