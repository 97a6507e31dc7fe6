import protobuf from 'protobufjs/light.js'
import type { GrpcServingStatus } from '../kubelet/probe/pod-network.ts'

/** The messages of grpc.health.v1. Each has one field, of number 1: the request's `service`, the response's `status`. */
export const healthCheckPath = '/grpc.health.v1.Health/Check'

const servingStatuses: readonly GrpcServingStatus[] = [
  'UNKNOWN',
  'SERVING',
  'NOT_SERVING',
  'SERVICE_UNKNOWN',
]

const serviceTag = 10
const statusTag = 8

export function encodeService(service: string): Buffer {
  const writer = protobuf.Writer.create()
  if (service !== '') writer.uint32(serviceTag).string(service)
  return Buffer.from(writer.finish())
}

export function decodeService(bytes: Uint8Array): string {
  return fieldOf(bytes, serviceTag, (reader) => reader.string()) ?? ''
}

export function encodeStatus(status: GrpcServingStatus): Buffer {
  const writer = protobuf.Writer.create()
  const value = servingStatuses.indexOf(status)
  if (value > 0) writer.uint32(statusTag).int32(value)
  return Buffer.from(writer.finish())
}

export function decodeStatus(bytes: Uint8Array): GrpcServingStatus {
  const value = fieldOf(bytes, statusTag, (reader) => reader.int32()) ?? 0
  return servingStatuses[value] ?? 'UNKNOWN'
}

/** The last value of a field; undefined if the message does not have it. */
function fieldOf<T>(
  bytes: Uint8Array,
  wanted: number,
  read: (reader: protobuf.Reader) => T,
): T | undefined {
  const reader = protobuf.Reader.create(bytes)
  let value: T | undefined
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === wanted) value = read(reader)
    else reader.skipType(tag & 7)
  }
  return value
}
