#pragma once

#include <openssl/ssl.h>

namespace eddy::detail {

/// Makes a context append its connections' secrets to the file that SSLKEYLOGFILE names, if it names one.
void log_keys(SSL_CTX* context);

}  // namespace eddy::detail
