#pragma once

#include <string_view>

namespace eddy::apps {

/// The content of page.html.
extern const std::string_view live_page_text;

}  // namespace eddy::apps
