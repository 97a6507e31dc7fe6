import { err, ok } from '../../shared/result.ts'
import type { PodNetwork } from '../kubelet/probe/pod-network.ts'
import { dial } from './dial.ts'
import { grpcHealthCheck } from './grpc-health.ts'
import { exchange } from './http-exchange.ts'
import { secured } from './tls-connection.ts'

/** Runs `work` with a signal that is aborted when the time is over. */
async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => {
        controller.abort()
      }, timeoutMs)
    : undefined
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'

const httpGet: PodNetwork['httpGet'] = (request) =>
  within(request.timeoutMs, async (signal) => {
    const dialed = await dial(request, signal)
    if (!dialed.ok) return signal.aborted ? err(tooLate) : dialed
    const { socket } = dialed.value
    const connection =
      request.scheme === 'http' ? dialed : await secured(dialed.value, request.host, signal)
    const answer = connection.ok ? await exchange(connection.value, request, signal) : connection
    socket.destroy()
    return !answer.ok && signal.aborted ? err(tooLate) : answer
  })

/** The network of this machine, by which its kubelet reaches containers that really run (pkg/probe/http, tcp and grpc). */
export const nodePodNetwork: PodNetwork = {
  httpGet,
  tcpConnect: (target) =>
    within(target.timeoutMs, async (signal) => {
      const dialed = await dial(target, signal)
      if (!dialed.ok) return dialed
      dialed.value.socket.end()
      return ok(undefined)
    }),
  grpcHealthCheck,
}
