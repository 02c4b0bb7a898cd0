#include <eddy/tls/tls_context.hpp>

int main() {
    const eddy::tls_context context{eddy::tls_client_options()};
    return context.role() == eddy::tls_role::client ? 0 : 1;
}
