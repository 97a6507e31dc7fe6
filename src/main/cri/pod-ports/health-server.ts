import { Server, ServerCredentials } from '@grpc/grpc-js'
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js'
import type { Duplex } from 'node:stream'
import { decodeService, encodeStatus, healthCheckPath } from '../../pod-network/health-messages.ts'
import type { GrpcServingStatus } from '../../kubelet/probe/pod-network.ts'
import { grpcStatusOf } from '../grpc-errors.ts'
import type { Listener } from '../../runtimes/simulated/network/listener.ts'

const check = {
  path: healthCheckPath,
  requestStream: false,
  responseStream: false,
  requestSerialize: (bytes: Buffer) => bytes,
  // Text that is empty would be no message.
  requestDeserialize: (bytes: Buffer) => ({ service: decodeService(bytes) }),
  responseSerialize: encodeStatus,
  responseDeserialize: (bytes: Buffer) => bytes,
}

/** What takes connections of gRPC clients that check the health of a listener. */
export function healthServer(health: NonNullable<Listener['health']>): (socket: Duplex) => void {
  const server = new Server()
  server.addService(
    { check },
    {
      check: (
        { request }: ServerUnaryCall<{ readonly service: string }, GrpcServingStatus>,
        answer: sendUnaryData<GrpcServingStatus>,
      ) => {
        const checked = health(request.service)
        if (checked.ok) answer(null, checked.value)
        // One that has no connection has no call either.
        else if (checked.error.kind === 'status') {
          const { code, message } = checked.error
          answer(
            grpcStatusOf({
              kind: 'failed',
              message: `rpc error: code = ${code} desc = ${message}`,
            }),
          )
        }
      },
    },
  )
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  return (socket) => {
    injector.injectConnection(socket)
  }
}
