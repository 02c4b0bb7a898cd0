//! HTTP server on hyper, a task a connection, as its guides advise: for one thread on tokio's current-thread runtime with
//! local tasks, with --threads on the multi-thread runtime with so many workers. It speaks HTTP/1, or HTTP/2 in clear.
//!
//!     eddy-bench-http-hyper --port P [--threads N] [--protocol http2]
//!
//! GET /hello answers with 13 bytes, GET /file with 1 KiB, both from memory, POST /length with the length of its body, which it
//! reads whole, POST /count with that length, of a body that it does not keep.
mod options;

use std::{convert::Infallible, net::Ipv4Addr};

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{HeaderValue, CONTENT_TYPE};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use options::Options;

type Answer = Response<Full<Bytes>>;

const BODY_BYTES_MAX: u64 = 1 << 20;
static FILE: [u8; 1024] = [b'x'; 1024];

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

async fn count(mut asked: Request<Incoming>) -> Answer {
    let mut bytes = 0;
    while let Some(piece) = asked.body_mut().frame().await {
        match piece {
            Ok(piece) => bytes += piece.data_ref().map_or(0, Bytes::len),
            Err(_) => return text(StatusCode::BAD_REQUEST, ""),
        }
    }
    text(StatusCode::OK, bytes.to_string())
}

async fn answer(asked: Request<Incoming>) -> Result<Answer, Infallible> {
    Ok(match (asked.method(), asked.uri().path()) {
        (&Method::GET, "/hello") => text(StatusCode::OK, "Hello, World!"),
        (&Method::GET, "/file") => text(StatusCode::OK, &FILE[..]),
        (&Method::POST, "/count") => count(asked).await,
        (&Method::POST, "/length") => length(asked).await,
        _ => text(StatusCode::NOT_FOUND, ""),
    })
}

/// Serves one connection to its end. A client that goes away is no event here.
async fn converse(socket: TcpStream, speaks_http2: bool) {
    let stream = TokioIo::new(socket);
    let _ = if speaks_http2 {
        http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service_fn(answer)).await
    } else {
        http1::Builder::new().pipeline_flush(true).serve_connection(stream, service_fn(answer)).await
    };
}

async fn serve(port: u16, start: impl Fn(TcpStream)) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        start(socket);
    }
}

fn main() -> std::io::Result<()> {
    let Options { port, threads, speaks_http2 } = options::parse();
    match threads {
        None => {
            let start = |socket| {
                tokio::task::spawn_local(converse(socket, speaks_http2));
            };
            let runtime = Builder::new_current_thread().enable_io().build()?;
            runtime.block_on(LocalSet::new().run_until(serve(port, start)))
        }
        Some(count) => {
            let start = |socket| {
                tokio::spawn(converse(socket, speaks_http2));
            };
            let runtime = Builder::new_multi_thread().worker_threads(count).enable_io().build()?;
            runtime.block_on(serve(port, start))
        }
    }
}
