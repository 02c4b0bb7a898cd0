#pragma once

#include <eddy/detail/build.hpp>

#include <version>

// The names of [exec], from whichever implementation there is.
#if defined(__cpp_lib_senders)

#include <execution>
#include <stop_token>

namespace eddy::execution::detail::standard {

using namespace std::execution;
using std::get_stop_token;
using std::get_stop_token_t;
using std::inplace_stop_source;
using std::inplace_stop_token;
using std::stop_callback_for_t;
using std::stop_token_of_t;

}  // namespace eddy::execution::detail::standard

#elif __has_include(<stdexec/execution.hpp>)

#include <stdexec/execution.hpp>

namespace eddy::execution::detail::standard {

using namespace stdexec;
using operation_state_tag = stdexec::operation_state_t;
using receiver_tag = stdexec::receiver_t;
using scheduler_tag = stdexec::scheduler_t;
using sender_tag = stdexec::sender_t;

}  // namespace eddy::execution::detail::standard

#else
#error eddy/integrations/execution needs std::execution, of the standard library or of stdexec
#endif
