#include "integrations/redis/retry_pause.hpp"

#include <eddy/integrations/redis/error.hpp>
#include <eddy/runtime/detail/current_system.hpp>

#include <algorithm>
#include <new>

namespace eddy::redis::detail {

retry_pause::retry_pause(const options& wanted)
    : first_(std::max(wanted.pause_first(), duration(1))),
      max_(std::max(wanted.pause_max(), first_)),
      length_(first_),
      random_(static_cast<unsigned>(eddy::detail::current_system().randomness->bits())) {}

duration retry_pause::next() {
    const duration whole = length_;
    length_ = whole > max_ / 2 ? max_ : whole * 2;
    return whole - whole / 400 * std::uniform_int_distribution<int>(0, 100)(random_);
}

bool may_pass(const std::exception_ptr& failure) noexcept {
    try {
        std::rethrow_exception(failure);
    } catch (const error& refused) {
        return refused.code() == "LOADING" || refused.code() == "MASTERDOWN" || refused.code() == "BUSY" ||
               refused.code() == "TRYAGAIN" || refused.code() == "CLUSTERDOWN";
    } catch (const std::bad_alloc&) {
        return false;
    } catch (...) {
        return true;
    }
}

std::string reason_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "an unknown error";
    }
}

}  // namespace eddy::redis::detail
