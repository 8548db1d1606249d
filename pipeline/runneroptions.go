package pipeline

import (
	"context"
	"math"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/structpb"
)

// executionModes are what Beam's Flink runner calls the ways in which a batch
// job's stages hand their results on.
var executionModes = []string{"PIPELINED", "BATCH_FORCED"}

// sendRunnerOptions has the options of a runner sent with a job, which Beam's
// Go SDK knows no way to: by their names in Beam's Java SDK. The caller must
// call undo when the job was sent.
func sendRunnerOptions(options map[string]string) (undo func()) {
	before := grpcx.Dial
	grpcx.Dial = func(_ context.Context, endpoint string, _ time.Duration) (*grpc.ClientConn, error) {
		return grpc.NewClient("passthrough:///"+endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)), grpc.WithUnaryInterceptor(adding(options)))
	}
	return func() { grpcx.Dial = before }
}

// adding returns what writes options into the request that prepares a job.
func adding(options map[string]string) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption) error {
		if prepare, ok := request.(*jobpb.PrepareJobRequest); ok {
			for name, value := range options {
				prepare.PipelineOptions.Fields["beam:option:"+name+":v1"] = structpb.NewStringValue(value)
			}
		}
		return invoke(ctx, method, request, reply, conn, opts...)
	}
}
