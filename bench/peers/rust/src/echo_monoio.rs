//! Echo server on monoio over io_uring, after its echo example: a task a connection with a buffer of 16 KiB. With
//! --threads a runtime and a listener (SO_REUSEPORT) each, as its documentation advises.
//!
//!     eddy-bench-echo-monoio --port P [--threads N]
mod options;

use monoio::io::{AsyncReadRent, AsyncWriteRentExt};
use monoio::net::{ListenerOpts, TcpListener, TcpStream};
use monoio::{IoUringDriver, RuntimeBuilder};

const BUFFER_BYTES: usize = 16 * 1024;

/// Serves one connection to its end. A client that goes away is no event here.
async fn converse(mut socket: TcpStream) -> std::io::Result<()> {
    let mut buffer: Vec<u8> = Vec::with_capacity(BUFFER_BYTES);
    loop {
        let (read, filled) = socket.read(buffer).await;
        if read? == 0 {
            return Ok(());
        }
        let (written, sent) = socket.write_all(filled).await;
        written?;
        buffer = sent;
        buffer.clear();
    }
}

async fn serve(port: u16) -> std::io::Result<()> {
    let options = ListenerOpts::new().reuse_port(true).backlog(4096);
    let listener = TcpListener::bind_with_config(("127.0.0.1", port), &options)?;
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        monoio::spawn(converse(socket));
    }
}

fn run(port: u16) -> std::io::Result<()> {
    RuntimeBuilder::<IoUringDriver>::new().build()?.block_on(serve(port))
}

fn main() -> std::io::Result<()> {
    let options = options::parse();
    let port = options.port;
    for _ in 1..options.threads.unwrap_or(1) {
        std::thread::spawn(move || run(port).expect("a thread of the server"));
    }
    run(port)
}
