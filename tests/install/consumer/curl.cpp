#include "refused.hpp"

#include <eddy/integrations/curl/client.hpp>

eddy::task<> ask() {
    eddy::curl::client by;
    co_await by.get("http://127.0.0.1:1/");
}

int main() {
    return fails(ask());
}
