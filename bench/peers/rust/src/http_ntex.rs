//! HTTP server on ntex with its own io_uring runtime, after its basic example: an application with routes.
//!
//!     eddy-bench-http-ntex --port P [--threads N]
mod options;

use std::net::Ipv4Addr;

use ntex::util::Bytes;
use ntex::web::{self, App, HttpResponse};

const BODY_BYTES_MAX: usize = 1 << 20;

async fn hello() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("Hello, World!")
}

/// Has read the body whole, and answers with its length.
async fn length(body: Bytes) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body(body.len().to_string())
}

#[ntex::main]
async fn main() -> std::io::Result<()> {
    let options = options::parse();
    web::server(async || {
        App::new()
            .state(web::types::PayloadConfig::new(BODY_BYTES_MAX))
            .route("/hello", web::get().to(hello))
            .route("/length", web::post().to(length))
    })
    .bind((Ipv4Addr::LOCALHOST, options.port))?
    .workers(options.threads.unwrap_or(1))
    .run()
    .await
}
