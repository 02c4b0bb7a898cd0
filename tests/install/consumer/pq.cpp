#include "refused.hpp"

#include <eddy/integrations/pq/connection.hpp>

eddy::task<> ask() {
    auto database =
        co_await eddy::pq::connection::connect(eddy::pq::connection_options("postgresql://127.0.0.1:1/none"));
    co_await database.execute("select 1");
}

int main() {
    return fails(ask());
}
