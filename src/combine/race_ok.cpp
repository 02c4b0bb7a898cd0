#include "detail/exception_text.hpp"

#include <eddy/combine/race_ok.hpp>

#include <utility>

namespace eddy {

all_failed::all_failed(std::vector<std::exception_ptr> errors)
    : errors_(std::move(errors)), text_("all " + std::to_string(errors_.size()) + " failed") {
    const char* separator = ": ";
    for (const std::exception_ptr& error : errors_) {
        text_ += separator + detail::exception_text(error);
        separator = "; ";
    }
}

}  // namespace eddy
