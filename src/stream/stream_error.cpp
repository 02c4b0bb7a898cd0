#include <eddy/stream/stream_error.hpp>

#include <string>

namespace eddy {

namespace {

class category final : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "eddy.stream"; }
    [[nodiscard]] std::string message(int value) const override {
        switch (static_cast<stream_error>(value)) {
            case stream_error::unexpected_end:
                return "the stream ended in the middle";
            case stream_error::limit_exceeded:
                return "longer than the limit";
            case stream_error::write_was_dropped:
                return "a write was dropped on its way";
        }
        return "unknown error";
    }
};

}  // namespace

const std::error_category& stream_category() noexcept {
    static const category only;
    return only;
}

}  // namespace eddy
