#include "extended.pb.h"
#include "greeter.eddy.hpp"
#include "odd_names.eddy.hpp"
#include "reflection.eddy.hpp"
#include "rpc/rpc_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/task.hpp>
#include <eddy/rpc.hpp>
#include <eddy/rpc/reflection.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <google/protobuf/descriptor.pb.h>
#include <string>
#include <vector>

namespace eddy::rpc::test::reflection_test {
namespace {

using eddy::test::run_bounded;
using grpc::reflection::v1::ServerReflectionRequest;
using grpc::reflection::v1::ServerReflectionResponse;

class shown_origin {
public:
    shown_origin() { origin_.calls.add(greeter_).add(odd_).add(v1_).add(v1alpha_); }
    ~shown_origin() { origin_.cut(); }
    channel connect() { return origin_.connect(); }

private:
    rpc_origin origin_;
    greeting::v1::greeter_service greeter_;
    odd::eddy::rpc::odd_names_service odd_;
    reflection_service v1_{origin_.calls};
    reflection_service v1alpha_{origin_.calls, reflection_version::v1alpha};
};

task<ServerReflectionResponse> respond_to(const channel& to, ServerReflectionRequest request) {
    request.set_host("here");
    const grpc::reflection::v1::server_reflection_client client(to);
    auto stream = client.server_reflection_info();
    co_await stream.write(request);
    const auto response = co_await stream.read();
    EXPECT_EQ("here", response->valid_host());
    EXPECT_EQ(request.SerializeAsString(), response->original_request().SerializeAsString());
    co_await stream.finish_writing();
    const auto end = co_await stream.read();
    EXPECT_FALSE(end.has_value());
    co_return *response;
}

std::vector<std::string> file_names(const ServerReflectionResponse& response) {
    std::vector<std::string> names;
    for (const auto& bytes : response.file_descriptor_response().file_descriptor_proto()) {
        google::protobuf::FileDescriptorProto file;
        EXPECT_TRUE(file.ParseFromString(bytes));
        names.push_back(file.name());
    }
    return names;
}

using names = std::vector<std::string>;
const names served{"greeting.v1.Greeter", "grpc.reflection.v1.ServerReflection",
                   "grpc.reflection.v1alpha.ServerReflection", "odd.eddy.rpc.OddNames"};
const names extended_files{"extended.proto"};
const names odd_symbols{"odd.eddy.rpc.OddNames", "odd.eddy.rpc.OddNames.Delete", "odd.eddy.rpc.Outer.Inner"};
const names odd_files{"odd_names.proto", "google/protobuf/empty.proto", "shared/point.proto"};

TEST(reflection, lists_the_services_that_are_served) {
    run_bounded([]() -> task<> {
        shown_origin origin;
        const channel to = origin.connect();
        ServerReflectionRequest request;
        request.set_list_services("*");
        const auto response = co_await respond_to(to, request);
        names listed;
        for (const auto& service : response.list_services_response().service())
            listed.push_back(service.name());
        EXPECT_EQ(served, listed);
    }());
}

TEST(reflection, finds_files_by_name_and_by_what_is_in_them_with_all_that_they_import) {
    run_bounded([]() -> task<> {
        shown_origin origin;
        const channel to = origin.connect();
        ServerReflectionRequest request;
        request.set_file_by_filename("odd_names.proto");
        EXPECT_EQ(odd_files, file_names(co_await respond_to(to, request)));
        for (const std::string& symbol : odd_symbols) {
            request.set_file_containing_symbol(symbol);
            EXPECT_EQ(odd_files, file_names(co_await respond_to(to, request)));
        }
    }());
}

TEST(reflection, finds_extensions) {
    run_bounded([]() -> task<> {
        shown_origin origin;
        const channel to = origin.connect();
        EXPECT_EQ(150, extended::size.number());
        ServerReflectionRequest request;
        request.mutable_file_containing_extension()->set_containing_type("extended.Base");
        request.mutable_file_containing_extension()->set_extension_number(150);
        EXPECT_EQ(extended_files, file_names(co_await respond_to(to, request)));
        request.set_all_extension_numbers_of_type("extended.Base");
        const auto response = co_await respond_to(to, request);
        EXPECT_EQ("extended.Base", response.all_extension_numbers_response().base_type_name());
        EXPECT_EQ(1, response.all_extension_numbers_response().extension_number_size());
        EXPECT_EQ(150, response.all_extension_numbers_response().extension_number(0));
    }());
}

TEST(reflection, what_is_not_there_is_an_error_within_the_response) {
    run_bounded([]() -> task<> {
        shown_origin origin;
        const channel to = origin.connect();
        std::vector<ServerReflectionRequest> absent(4);
        absent[0].set_file_by_filename("absent.proto");
        absent[1].set_file_containing_symbol("absent.Message");
        absent[2].mutable_file_containing_extension()->set_containing_type("extended.Base");
        absent[2].mutable_file_containing_extension()->set_extension_number(151);
        absent[3].set_all_extension_numbers_of_type("absent.Message");
        for (const auto& request : absent) {
            const auto response = co_await respond_to(to, request);
            EXPECT_EQ(static_cast<int>(status_code::not_found), response.error_response().error_code());
        }
        const auto response = co_await respond_to(to, ServerReflectionRequest());
        EXPECT_EQ(static_cast<int>(status_code::invalid_argument), response.error_response().error_code());
    }());
}

TEST(reflection, speaks_the_older_version) {
    run_bounded([]() -> task<> {
        shown_origin origin;
        const channel to = origin.connect();
        auto stream = open_stream<ServerReflectionRequest, ServerReflectionResponse>(
            to, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
        ServerReflectionRequest request;
        request.set_list_services("");
        co_await stream.write(request);
        const auto response = co_await stream.read();
        EXPECT_EQ(4, response->list_services_response().service_size());
    }());
}

const names malformed{"\x3a\x05", "\x0b", std::string("\x2a\x01\x0a")};

TEST(reflection, a_malformed_request_is_an_internal_error) {
    run_bounded([]() -> task<> {
        shown_origin origin;
        const channel to = origin.connect();
        for (const std::string& bytes : malformed) {
            auto stream = open_stream<std::string, std::string>(
                to, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
            co_await stream.write(bytes);
            EXPECT_EQ(status_code::internal, co_await code_of(stream.read()));
        }
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::reflection_test
