#include <eddy/combine/race_ok.hpp>

#include <utility>

namespace eddy {

namespace {

std::string message_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& caught) {
        return caught.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

}  // namespace

all_failed::all_failed(std::vector<std::exception_ptr> errors)
    : errors_(std::move(errors)), text_("all " + std::to_string(errors_.size()) + " failed") {
    const char* separator = ": ";
    for (const std::exception_ptr& error : errors_) {
        text_ += separator + message_of(error);
        separator = "; ";
    }
}

}  // namespace eddy
