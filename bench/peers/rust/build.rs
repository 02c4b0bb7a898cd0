fn main() -> std::io::Result<()> {
    let file = std::env::var("TEST_SERVICE_PROTO").expect("grpc.testing.TestService");
    let folder = std::path::Path::new(&file).parent().expect("a folder").to_owned();
    tonic_prost_build::configure().build_client(false).generate_default_stubs(true).compile_protos(&[file.into()], &[folder])
}
