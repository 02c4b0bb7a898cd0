//! How a program of one subject does its work again and again, and what it prints; see bench/suite/programs.py.
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

pub struct Measurement {
    seconds: f64,
    pub runtime: Runtime,
}

fn runtime(threads: usize) -> std::io::Result<Runtime> {
    match threads {
        1 => Builder::new_current_thread().build(),
        _ => Builder::new_multi_thread().worker_threads(threads).build(),
    }
}

fn read(words: &[String]) -> Option<Measurement> {
    let [threads, seconds, ..] = words else { return None };
    Some(Measurement {
        seconds: seconds.parse().ok()?,
        runtime: runtime(threads.parse().ok().filter(|count| *count > 0)?).ok()?,
    })
}

/// Reads THREADS SECONDS and leaves what follows: one thread is the current-thread runtime, more are the multi-thread one.
pub fn parse() -> Measurement {
    let words: Vec<String> = std::env::args().skip(1).collect();
    read(&words).unwrap_or_else(|| {
        eprintln!("the arguments are THREADS SECONDS [ARGUMENT]...");
        std::process::exit(2);
    })
}

fn cpu_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it fills in what it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// The most that was resident since the program was started. What getrusage tells counts who started it, too.
fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let told = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    told.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() * 1024
}

impl Measurement {
    /// Runs it once to warm up, then until the time is over, and prints what that came to.
    pub fn repeat(&self, items_a_run: u64, mut run: impl FnMut()) {
        run();
        let length = Duration::from_secs_f64(self.seconds);
        let start = Instant::now();
        let cpu_start = cpu_seconds();
        let mut items = 0;
        while items == 0 || start.elapsed() < length {
            run();
            items += items_a_run;
        }
        let passed = start.elapsed().as_secs_f64();
        println!("{items} {passed} {} {}", cpu_seconds() - cpu_start, peak_memory_bytes());
    }
}
