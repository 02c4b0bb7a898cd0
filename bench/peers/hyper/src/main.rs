//! HTTP server on hyper, as its guides advise for one thread: tokio's current-thread runtime, a local task a
//! connection, HTTP/1 only.
//!
//!     eddy-bench-http-hyper --port P
use std::{convert::Infallible, net::Ipv4Addr};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{HeaderValue, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::LocalSet;

type Answer = Response<Full<Bytes>>;

const BODY_BYTES_MAX: u64 = 1 << 20;

fn text(status: StatusCode, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    answer
}

/// Reads the body whole, as hyper's echo guide does, and answers with its length.
async fn length(asked: Request<Incoming>) -> Answer {
    if asked.body().size_hint().upper().unwrap_or(u64::MAX) > BODY_BYTES_MAX {
        return text(StatusCode::PAYLOAD_TOO_LARGE, "");
    }
    match asked.into_body().collect().await {
        Ok(body) => text(StatusCode::OK, body.to_bytes().len().to_string()),
        Err(_) => text(StatusCode::BAD_REQUEST, ""),
    }
}

async fn answer(asked: Request<Incoming>) -> Result<Answer, Infallible> {
    Ok(match (asked.method(), asked.uri().path()) {
        (&Method::GET, "/hello") => text(StatusCode::OK, "Hello, World!"),
        (&Method::POST, "/length") => length(asked).await,
        _ => text(StatusCode::NOT_FOUND, ""),
    })
}

async fn serve(port: u16) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::task::spawn_local(async move {
            // A client that goes away is no event here.
            let _ = http1::Builder::new()
                .pipeline_flush(true)
                .serve_connection(TokioIo::new(socket), service_fn(answer))
                .await;
        });
    }
}

fn port_of(arguments: &[String]) -> Option<u16> {
    match arguments {
        [_, name, port] if name == "--port" => port.parse().ok(),
        _ => None,
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let Some(port) = port_of(&arguments) else {
        eprintln!("usage: eddy-bench-http-hyper --port P");
        std::process::exit(2);
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(LocalSet::new().run_until(serve(port)))
}
