//! What every server is told.
pub struct Options {
    pub port: u16,
    pub threads: Option<usize>,
}

fn read(arguments: &[String]) -> Option<Options> {
    let mut options = Options { port: 0, threads: None };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--port" => options.port = value.parse().ok()?,
            [name, value] if name == "--threads" => options.threads = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    (options.port != 0 && options.threads != Some(0)).then_some(options)
}

/// Reads `--port P [--threads N]`; ends the program with status 2 on anything else.
pub fn parse() -> Options {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    read(&arguments).unwrap_or_else(|| {
        eprintln!("the options are --port P [--threads N]");
        std::process::exit(2);
    })
}
