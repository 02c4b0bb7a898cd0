//! WebSocket server on fastwebsockets, after its echo example: hyper makes the connection a WebSocket, on tokio.
//!
//!     eddy-bench-websocket-fastwebsockets --port P [--threads N]
mod options;
mod runtime;

use std::net::Ipv4Addr;

use fastwebsockets::{upgrade, FragmentCollector, OpCode, WebSocketError};
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

async fn converse(upgraded: upgrade::UpgradeFut) -> Result<(), WebSocketError> {
    let mut socket = FragmentCollector::new(upgraded.await?);
    loop {
        let frame = socket.read_frame().await?;
        match frame.opcode {
            OpCode::Close => return Ok(()),
            OpCode::Text | OpCode::Binary => socket.write_frame(frame).await?,
            _ => {}
        }
    }
}

/// A client that goes away is no event here.
async fn answer(mut asked: Request<Incoming>) -> Result<Response<Empty<Bytes>>, WebSocketError> {
    if !upgrade::is_upgrade_request(&asked) {
        return Ok(Response::new(Empty::new()));
    }
    let (response, upgraded) = upgrade::upgrade(&mut asked)?;
    tokio::task::spawn(async move {
        let _ = tokio::task::unconstrained(converse(upgraded)).await;
    });
    Ok(response)
}

async fn serve(port: u16) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(async move {
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(socket), service_fn(answer))
                .with_upgrades()
                .await;
        });
    }
}

fn main() -> std::io::Result<()> {
    let options = options::parse();
    runtime::of(options.threads)?.block_on(serve(options.port))
}
