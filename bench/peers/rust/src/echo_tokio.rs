//! Echo server on tokio, after its echo example: a task a connection.
//!
//!     eddy-bench-echo-tokio --port P [--threads N]
//!
//! With --threads on the multi-thread runtime with so many workers, else on the current-thread runtime.
mod options;
mod runtime;

use std::net::Ipv4Addr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn echo(mut client: TcpStream) -> std::io::Result<()> {
    let mut buffer = vec![0; 16384];
    loop {
        let count = client.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        client.write_all(&buffer[..count]).await?;
    }
}

async fn serve(port: u16) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (client, _) = listener.accept().await?;
        client.set_nodelay(true)?;
        // A client that goes away is no event here.
        tokio::spawn(async move {
            let _ = echo(client).await;
        });
    }
}

fn main() -> std::io::Result<()> {
    let options = options::parse();
    runtime::of(options.threads)?.block_on(serve(options.port))
}
