#pragma once

#include <string_view>

namespace todo {

/// The files of the directory page/, which CMake makes part of the program.
extern const std::string_view page_markup;
extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace todo
