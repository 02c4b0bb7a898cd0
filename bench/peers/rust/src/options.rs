//! What the servers are told.
pub struct Options {
    pub port: u16,
    pub threads: Option<usize>,
    /// Of the servers of HTTP, only hyper's speaks it.
    pub speaks_http2: bool,
}

fn read(arguments: &[String]) -> Option<Options> {
    let mut options = Options { port: 0, threads: None, speaks_http2: false };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--port" => options.port = value.parse().ok()?,
            [name, value] if name == "--threads" => options.threads = Some(value.parse().ok()?),
            [name, value] if name == "--protocol" && value == "http2" => options.speaks_http2 = true,
            _ => return None,
        }
    }
    (options.port != 0 && options.threads != Some(0)).then_some(options)
}

/// Reads `--port P [--threads N] [--protocol http2]`; ends the program with status 2 on anything else.
pub fn parse() -> Options {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    read(&arguments).unwrap_or_else(|| {
        eprintln!("the options are --port P [--threads N] [--protocol http2]");
        std::process::exit(2);
    })
}
