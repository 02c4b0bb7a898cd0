#include "backend/posix/posix_randomness.hpp"

#include "backend/posix/system_call.hpp"

#include <exception>
#include <sys/random.h>

namespace eddy::backends {

namespace {

class posix_randomness final : public io::randomness {
public:
    void fill(std::span<std::byte> out) noexcept override {
        while (!out.empty()) {
            const auto filled = uninterrupted_long([&] { return ::getrandom(out.data(), out.size(), 0); });
            if (filled < 0)
                std::terminate();
            out = out.subspan(static_cast<std::size_t>(filled));
        }
    }
};

}  // namespace

io::randomness& posix_random() noexcept {
    static posix_randomness only;
    return only;
}

}  // namespace eddy::backends
