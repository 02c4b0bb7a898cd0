#pragma once

#include <string>
#include <string_view>

namespace eddy::protoc_gen {

/// `GetFeature` becomes `get_feature`, `HTTPGet` `http_get`, `ListV2Keys` `list_v2_keys`.
std::string snake_case(std::string_view name);

/// A method's name in C++: in snake case, followed by an underscore where that is a keyword, a macro of the C library
/// or a name that the generated classes have besides those of methods.
std::string method_name(std::string_view name, std::string_view client_class, std::string_view service_class);

}  // namespace eddy::protoc_gen
