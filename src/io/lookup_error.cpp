#include <eddy/io/lookup_error.hpp>

#include <string>

namespace eddy::io {

namespace {

class lookup_errors final : public std::error_category {
public:
    const char* name() const noexcept override { return "lookup"; }
    std::string message(int error) const override {
        switch (static_cast<lookup_error>(error)) {
            case lookup_error::not_found:
                return "host not found";
            case lookup_error::unknown_service:
                return "unknown service";
            case lookup_error::temporary_failure:
                return "no name server has answered";
            case lookup_error::failure:
                return "a name server has refused";
        }
        return "unknown error of a lookup";
    }
};

}  // namespace

const std::error_category& lookup_category() noexcept {
    static const lookup_errors category;
    return category;
}

std::error_code make_error_code(lookup_error error) noexcept {
    return {static_cast<int>(error), lookup_category()};
}

}  // namespace eddy::io
