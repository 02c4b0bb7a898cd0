//! HTTP server on may_minihttp, after its example for the TechEmpower benchmarks: a stackful coroutine a connection,
//! which writes fields as they are told and looks for a route by comparing.
//!
//!     eddy-bench-http-may_minihttp --port P [--threads N]
mod options;

use std::io::{self, Read};
use std::net::Ipv4Addr;

use may_minihttp::{HttpService, HttpServiceFactory, Request, Response};

const BODY_BYTES_MAX: u64 = 1 << 20;
const STACK_WORDS: usize = 0x1000;
const COROUTINES_KEPT: usize = 1000;

struct Service;

/// Reads the body whole and answers with its length.
fn length(request: Request, response: &mut Response) -> io::Result<()> {
    let mut body = Vec::new();
    request.body().take(BODY_BYTES_MAX).read_to_end(&mut body)?;
    response.header("Content-Type: text/plain").body_vec(body.len().to_string().into_bytes());
    Ok(())
}

impl HttpService for Service {
    fn call(&mut self, request: Request, response: &mut Response) -> io::Result<()> {
        match (request.method(), request.path()) {
            ("GET", "/hello") => {
                response.header("Content-Type: text/plain").body("Hello, World!");
            }
            ("POST", "/length") => return length(request, response),
            _ => {
                response.status_code(404, "Not Found");
            }
        }
        Ok(())
    }
}

struct Services;

impl HttpServiceFactory for Services {
    type Service = Service;

    fn new_service(&self, _: usize) -> Service {
        Service
    }
}

fn main() -> io::Result<()> {
    let options = options::parse();
    let config = may::config();
    config.set_pool_capacity(COROUTINES_KEPT).set_stack_size(STACK_WORDS);
    config.set_workers(options.threads.unwrap_or(1)).set_worker_pin(false);
    Services.start((Ipv4Addr::LOCALHOST, options.port))?.wait();
    Ok(())
}
