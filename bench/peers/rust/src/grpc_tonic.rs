//! gRPC server on tonic and tokio's current-thread runtime, as its examples have it: UnaryCall and StreamingOutputCall of
//! grpc.testing.TestService.
//!
//!     eddy-bench-grpc-tonic --port P [--threads N]
mod options;
mod runtime;

use std::net::Ipv4Addr;

use tokio_stream::iter;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status, transport::Server};

mod testing {
    tonic::include_proto!("grpc.testing");
}
use testing::test_service_server::{TestService, TestServiceServer};
use testing::{Payload, SimpleRequest, SimpleResponse, StreamingOutputCallRequest, StreamingOutputCallResponse};

struct Service;

fn payload(bytes: i32) -> Option<Payload> {
    Some(Payload { body: vec![0; bytes as usize], ..Default::default() })
}

#[tonic::async_trait]
impl TestService for Service {
    async fn unary_call(&self, asked: Request<SimpleRequest>) -> Result<Response<SimpleResponse>, Status> {
        let payload = payload(asked.get_ref().response_size);
        Ok(Response::new(SimpleResponse { payload, ..Default::default() }))
    }

    async fn streaming_output_call(
        &self,
        asked: Request<StreamingOutputCallRequest>,
    ) -> Result<Response<BoxStream<StreamingOutputCallResponse>>, Status> {
        let answers = asked.into_inner().response_parameters.into_iter();
        let answers = iter(answers.map(|each| Ok(StreamingOutputCallResponse { payload: payload(each.size) })));
        Ok(Response::new(Box::pin(answers)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = options::parse();
    let server = Server::builder().add_service(TestServiceServer::new(Service));
    runtime::of(options.threads)?.block_on(server.serve((Ipv4Addr::LOCALHOST, options.port).into()))?;
    Ok(())
}
