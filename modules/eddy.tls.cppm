// The module eddy.tls: TLS over any stream.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_client_options.hpp>
#include <eddy/tls/tls_common_options.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_error.hpp>
#include <eddy/tls/tls_material.hpp>
#include <eddy/tls/tls_server_options.hpp>
#include <eddy/tls/tls_session_info.hpp>
#include <eddy/tls/tls_stream.hpp>
#include <eddy/tls/tls_target.hpp>
#include <eddy/tls/tls_trust.hpp>

export module eddy.tls;

export import eddy;

export namespace eddy {
using eddy::make_error_code;
using eddy::name_of;
using eddy::tls_accept;
using eddy::tls_category;
using eddy::tls_certificate;
using eddy::tls_client_check;
using eddy::tls_client_options;
using eddy::tls_common_options;
using eddy::tls_connect;
using eddy::tls_context;
using eddy::tls_error;
using eddy::tls_material;
using eddy::tls_peer_certificate;
using eddy::tls_role;
using eddy::tls_server_options;
using eddy::tls_session_info;
using eddy::tls_stream;
using eddy::tls_target;
using eddy::tls_trust;
using eddy::tls_version;
}  // namespace eddy
