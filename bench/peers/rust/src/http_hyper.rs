//! HTTP server on hyper, HTTP/1 only, a task a connection, as its guides advise: for one thread on tokio's
//! current-thread runtime with local tasks, with --threads on the multi-thread runtime with so many workers.
//!
//!     eddy-bench-http-hyper --port P [--threads N]
mod options;

use std::{convert::Infallible, net::Ipv4Addr};

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{HeaderValue, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
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

/// Serves one connection to its end. A client that goes away is no event here.
async fn converse(socket: TcpStream) {
    let _ = http1::Builder::new()
        .pipeline_flush(true)
        .serve_connection(TokioIo::new(socket), service_fn(answer))
        .await;
}

async fn serve(port: u16, start: impl Fn(TcpStream)) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        start(socket);
    }
}

fn serve_on_one(port: u16) -> std::io::Result<()> {
    let start = |socket| {
        tokio::task::spawn_local(converse(socket));
    };
    let runtime = Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(LocalSet::new().run_until(serve(port, start)))
}

fn serve_on_many(port: u16, threads: usize) -> std::io::Result<()> {
    let start = |socket| {
        tokio::spawn(converse(socket));
    };
    let runtime = Builder::new_multi_thread().worker_threads(threads).enable_io().build()?;
    runtime.block_on(serve(port, start))
}

fn main() -> std::io::Result<()> {
    let options = options::parse();
    match options.threads {
        None => serve_on_one(options.port),
        Some(threads) => serve_on_many(options.port, threads),
    }
}
