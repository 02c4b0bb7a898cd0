#include "protoc_gen_eddy/generator.hpp"

#include "protoc_gen_eddy/comments.hpp"
#include "protoc_gen_eddy/method_kinds.hpp"
#include "protoc_gen_eddy/service_names.hpp"

#include <google/protobuf/compiler/cpp/names.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/printer.h>
#include <google/protobuf/io/zero_copy_stream.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace eddy::protoc_gen {
namespace {

namespace pb = google::protobuf;
using variables = std::map<std::string, std::string>;
using pb::io::Printer;

constexpr const char* header_head =
    R"(// Made by protoc-gen-eddy from $file$. Changes are lost when it is made again.
#pragma once

#include "$stem$.pb.h"
)";

constexpr const char* header_includes = R"(
#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc/call.hpp>
#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/client_stream.hpp>
#include <eddy/rpc/protobuf.hpp>
#include <eddy/rpc/server_call.hpp>
#include <eddy/rpc/service.hpp>
)";

constexpr const char* client_head = R"(
/// Calls $service$ through a channel, which it does not own. Thread safety: none, as the channel has none.
class $deprecated$$client_class$ {
public:
    explicit $client_class$(const ::eddy::rpc::channel& channel) noexcept : channel_(&channel) {}
    explicit $client_class$(const ::eddy::rpc::channel&&) = delete;
)";

constexpr const char* client_end = R"(
private:
    $unused$const ::eddy::rpc::channel* channel_;
};
)";

constexpr const char* service_head = R"(
/// Serves $service$: derive from it and override its methods. One that is not overridden fails with UNIMPLEMENTED. An
/// object belongs to one worker, whose calls run at the same time.
class $deprecated$$service_class$ : public ::eddy::rpc::service {
public:
    $service_class$();
    $service_class$(const $service_class$&) = delete;
    $service_class$& operator=(const $service_class$&) = delete;
)";

constexpr const char* service_end = "};\n";

constexpr const char* source_head =
    R"(// Made by protoc-gen-eddy from $file$. Changes are lost when it is made again.
#include "$stem$.eddy.hpp"
)";

constexpr const char* constructor_head = R"(
$service_class$::$service_class$() : ::eddy::rpc::service("$service$") {
)";

/// `routeguide.v1` becomes `routeguide::v1`.
std::string cpp_namespace(const pb::FileDescriptor& file) {
    std::string name;
    for (const char letter : std::string(file.package())) {
        if (letter == '.')
            name += "::";
        else
            name += letter;
    }
    return name;
}

variables variables_of(const pb::FileDescriptor& file) {
    return {{"file", std::string(file.name())},
            {"stem", pb::compiler::cpp::StripProto(std::string(file.name()))},
            {"namespace", cpp_namespace(file)}};
}

variables variables_of(const pb::ServiceDescriptor& service, const service_names& names) {
    return {{"service", std::string(service.full_name())},
            {"client_class", names.client_class},
            {"service_class", names.service_class},
            {"unused", service.method_count() == 0 ? "[[maybe_unused]] " : ""},
            {"deprecated", service.options().deprecated() ? "[[deprecated]] " : ""}};
}

variables variables_of(const pb::MethodDescriptor& method, const service_names& names) {
    return {{"client_class", names.client_class},
            {"service_class", names.service_class},
            {"method", names.methods.at(method.index())},
            {"proto_method", std::string(method.name())},
            {"path", "/" + std::string(method.service()->full_name()) + "/" + std::string(method.name())},
            {"Request", pb::compiler::cpp::QualifiedClassName(method.input_type())},
            {"Reply", pb::compiler::cpp::QualifiedClassName(method.output_type())},
            {"deprecated", method.options().deprecated() ? "[[deprecated]] " : ""}};
}

/// Prints what differs for each method of a service.
template <class Print>
void for_each_method(const pb::ServiceDescriptor& service, const service_names& names, Print print) {
    for (int i = 0; i < service.method_count(); ++i) {
        const auto& method = *service.method(i);
        print(method, variables_of(method, names), kind_of(method));
    }
}

void print_comment(Printer& out, const std::vector<std::string>& lines, const char* indent) {
    for (const auto& line : lines)
        out.Print("$indent$///$line$\n", "indent", indent, "line", line);
    if (!lines.empty())
        out.Print("$indent$///\n", "indent", indent);
}

void print_method_comment(Printer& out, const pb::MethodDescriptor& method, const variables& names) {
    out.Print("\n");
    print_comment(out, comment_of(method), "    ");
    out.Print("    /// $kind$: `", "kind", kind_of(method).name);
    out.Print(names, "$path$`.\n");
}

void declare_client(Printer& out, const pb::ServiceDescriptor& service, const service_names& names) {
    // The class's own comment follows the .proto's.
    const auto described = variables_of(service, names);
    out.Print("\n");
    print_comment(out, comment_of(service), "");
    out.Print(described, client_head + 1);
    for_each_method(service, names, [&out](const auto& method, const auto& variables, const auto& kind) {
        print_method_comment(out, method, variables);
        out.Print(variables, kind.client_declaration);
    });
    out.Print(described, client_end);
}

void declare_service(Printer& out, const pb::ServiceDescriptor& service, const service_names& names) {
    const auto described = variables_of(service, names);
    out.Print("\n");
    print_comment(out, comment_of(service), "");
    out.Print(described, service_head + 1);
    for_each_method(service, names, [&out](const auto& method, const auto& variables, const auto& kind) {
        print_method_comment(out, method, variables);
        out.Print(variables, kind.handler_declaration);
    });
    out.Print(described, service_end);
}

void define(Printer& out, const pb::ServiceDescriptor& service, const service_names& names) {
    for_each_method(service, names, [&out](const auto&, const auto& variables, const auto& kind) {
        out.Print(variables, kind.client_definition);
    });
    out.Print(variables_of(service, names), constructor_head);
    for_each_method(service, names, [&out](const auto&, const auto& variables, const auto& kind) {
        out.Print(variables, kind.registration);
    });
    out.Print("}\n");
    for_each_method(service, names, [&out](const auto&, const auto& variables, const auto& kind) {
        out.Print(variables, kind.handler_definition);
    });
}

/// Prints what is in the file's namespace: for each service what `print` prints.
template <class Print>
void print_services(Printer& out, const pb::FileDescriptor& file, Print print) {
    const auto described = variables_of(file);
    const bool has_package = !file.package().empty();
    if (has_package)
        out.Print(described, "\nnamespace $namespace$ {\n");
    for (int i = 0; i < file.service_count(); ++i)
        print(out, *file.service(i), service_names(*file.service(i)));
    if (has_package)
        out.Print(described, "\n}  // namespace $namespace$\n");
}

void print_header(Printer& out, const pb::FileDescriptor& file) {
    out.Print(variables_of(file), header_head);
    if (file.service_count() == 0)
        return;
    out.Print(header_includes);
    print_services(out, file, [](Printer& to, const auto& service, const auto& names) {
        declare_client(to, service, names);
        declare_service(to, service, names);
    });
}

void print_source(Printer& out, const pb::FileDescriptor& file) {
    out.Print(variables_of(file), source_head);
    if (file.service_count() == 0)
        return;
    out.Print("\n#include <eddy/rpc/status.hpp>\n\n#include <utility>\n");
    print_services(out, file, define);
}

template <class Print>
void write(pb::compiler::GeneratorContext& context, const pb::FileDescriptor& file, const char* suffix,
           Print print) {
    const std::unique_ptr<pb::io::ZeroCopyOutputStream> output(
        context.Open(pb::compiler::cpp::StripProto(std::string(file.name())) + suffix));
    Printer out(output.get(), '$');
    print(out, file);
}

}  // namespace

bool generator::Generate(const pb::FileDescriptor* file, const std::string& parameter,
                         pb::compiler::GeneratorContext* context, std::string* error) const {
    if (!parameter.empty())
        *error = "there are no parameters, so '" + parameter + "' has no meaning";
    else
        *error = find_clash(*file);
    if (!error->empty())
        return false;
    write(*context, *file, ".eddy.hpp", print_header);
    write(*context, *file, ".eddy.cpp", print_source);
    return true;
}

}  // namespace eddy::protoc_gen
