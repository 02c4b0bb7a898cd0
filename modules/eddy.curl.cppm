// The module eddy.curl: libcurl.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/client_options.hpp>
#include <eddy/integrations/curl/error.hpp>
#include <eddy/integrations/curl/form.hpp>
#include <eddy/integrations/curl/proxy_options.hpp>
#include <eddy/integrations/curl/request.hpp>
#include <eddy/integrations/curl/tls_options.hpp>
#include <eddy/integrations/curl/transfer.hpp>
#include <eddy/integrations/curl/transfer_options.hpp>
#include <eddy/integrations/curl/upload.hpp>

export module eddy.curl;

export import eddy;

export namespace eddy::curl {
using eddy::curl::client;
using eddy::curl::client_options;
using eddy::curl::engine;
using eddy::curl::error_category;
using eddy::curl::form;
using eddy::curl::http_version;
using eddy::curl::login_scheme;
using eddy::curl::make_error_code;
using eddy::curl::multi_category;
using eddy::curl::proxy_options;
using eddy::curl::request;
using eddy::curl::statistics;
using eddy::curl::tls_options;
using eddy::curl::tls_version;
using eddy::curl::transfer;
using eddy::curl::transfer_error;
using eddy::curl::transfer_options;
using eddy::curl::transfer_state;
using eddy::curl::upload;
using eddy::curl::url_encoded_form;
}  // namespace eddy::curl
