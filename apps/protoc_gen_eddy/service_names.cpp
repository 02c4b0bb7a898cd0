#include "protoc_gen_eddy/service_names.hpp"

#include "protoc_gen_eddy/names.hpp"

#include <google/protobuf/descriptor.h>
#include <map>
#include <string>

namespace eddy::protoc_gen {
namespace {

/// Says where two of the names, of services or of methods, are written alike in C++.
class clash_finder {
public:
    void add(const std::string& in_cpp, const std::string& in_proto) {
        const auto [known, is_new] = names_.emplace(in_cpp, in_proto);
        if (!is_new && found_.empty())
            found_ =
                known->second + " and " + in_proto + " are both called " + in_cpp + " in C++: rename one";
    }
    const std::string& found() const noexcept { return found_; }

private:
    std::map<std::string, std::string> names_;
    std::string found_;
};

std::string find_clash(const google::protobuf::ServiceDescriptor& service) {
    const service_names names(service);
    clash_finder methods;
    for (int i = 0; i < service.method_count(); ++i)
        methods.add(names.methods.at(i), std::string(service.method(i)->full_name()));
    return methods.found();
}

}  // namespace

service_names::service_names(const google::protobuf::ServiceDescriptor& service)
    : client_class(snake_case(std::string(service.name())) + "_client"),
      service_class(snake_case(std::string(service.name())) + "_service") {
    for (int i = 0; i < service.method_count(); ++i)
        methods.push_back(method_name(std::string(service.method(i)->name()), client_class, service_class));
}

std::string find_clash(const google::protobuf::FileDescriptor& file) {
    clash_finder classes;
    for (int i = 0; i < file.message_type_count(); ++i)
        classes.add(std::string(file.message_type(i)->name()),
                    std::string(file.message_type(i)->full_name()));
    for (int i = 0; i < file.service_count(); ++i) {
        const auto& service = *file.service(i);
        const service_names names(service);
        classes.add(names.client_class, std::string(service.full_name()));
        classes.add(names.service_class, std::string(service.full_name()));
        if (const auto found = find_clash(service); !found.empty())
            return found;
    }
    return classes.found();
}

}  // namespace eddy::protoc_gen
