import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Duplex } from 'node:stream'
import type { ActError } from '../../../shared/ipc/contract.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { PodPorts, PortForwardView } from '../../../shared/model/inside-pod/port-forward.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ClusterSession } from '../cluster/cluster-session.ts'

/** Of one cluster. */
const maxForwards = 32
/** Of one forward at a time; more are closed at once. */
const maxConnections = 256

/** A new connection to the port of a pod. The error is one sentence. */
export type ConnectPort = (key: PodKey, port: number) => Promise<Result<Duplex, string>>

interface PortForwardsDeps {
  readonly session: Pick<ClusterSession, 'actTarget' | 'knowledge'>
  readonly connect: ConnectPort
}

interface Forward {
  view: PortForwardView
  readonly server: Server
  readonly sockets: Set<Socket>
}

function listenProblem(error: NodeJS.ErrnoException, localPort: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${localPort} of this machine is taken. Choose another local port, or leave it empty for a free one.`
    case 'EACCES':
      return `Port ${localPort} of this machine needs more rights than Nodescope has. Choose one above 1023.`
    default:
      return `Port ${localPort} of this machine cannot be opened: ${error.message}.`
  }
}

/** Ports of this machine that lead into the pods of one cluster, as `kubectl port-forward` opens them: on 127.0.0.1 alone. */
export class PortForwards {
  readonly #deps: PortForwardsDeps
  readonly #forwards = new Map<number, Forward>()
  #lastId = 0

  constructor(deps: PortForwardsDeps) {
    this.#deps = deps
  }

  /** Null: there is no such pod, and nothing leads to it. */
  list(key: PodKey): PodPorts | null {
    const pod = this.#deps.session.knowledge(key)?.pod
    const forwards = [...this.#forwards.values()]
      .map(({ view }) => view)
      .filter((view) => view.key === key)
    if (pod === undefined && forwards.length === 0) return null
    const named = (pod?.spec.containers ?? []).flatMap(({ name: container, ports = [] }) =>
      ports
        .filter(({ protocol = 'TCP' }) => protocol === 'TCP')
        .map(({ containerPort: port, name = '' }) => ({ port, name, container })),
    )
    return { named, forwards }
  }

  /** `localPort` 0: a free one. */
  async start(
    key: PodKey,
    port: number,
    localPort: number,
  ): Promise<Result<PortForwardView, ActError>> {
    const target = this.#deps.session.actTarget(key)
    if (target === undefined)
      return err({ kind: 'not-found', message: 'This pod is no longer on the node.' })
    if (target.facts.readOnly !== '')
      return err({ kind: 'read-only', message: target.facts.readOnly })
    if (port === 0) return err({ kind: 'refused', message: 'A port of a pod is 1 to 65535.' })
    if (this.#forwards.size >= maxForwards)
      return err({
        kind: 'refused',
        message: `${maxForwards} ports are forwarded. Stop one of them first.`,
      })
    const id = ++this.#lastId
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      void this.#serve(id, socket)
    })
    const problem = await new Promise<string>((resolve) => {
      server.once('error', (error) => resolve(listenProblem(error, localPort)))
      server.listen({ port: localPort, host: '127.0.0.1' }, () => resolve(''))
    })
    if (problem !== '') return err({ kind: 'refused', message: problem })
    const address = server.address()
    const bound = typeof address === 'object' && address !== null ? address.port : localPort
    const view = { id, key, port, localPort: bound, open: 0, total: 0, problem: '' }
    this.#forwards.set(id, { view, server, sockets: new Set() })
    return ok(view)
  }

  /** Closes its connections too. An unknown id does nothing. */
  stop(id: number): void {
    const forward = this.#forwards.get(id)
    this.#forwards.delete(id)
    forward?.server.close()
    for (const socket of forward?.sockets ?? []) socket.destroy()
  }

  stopAll(): void {
    for (const id of this.#forwards.keys()) this.stop(id)
  }

  #change(id: number, change: (view: PortForwardView) => Partial<PortForwardView>): void {
    const forward = this.#forwards.get(id)
    if (forward !== undefined) forward.view = { ...forward.view, ...change(forward.view) }
  }

  async #serve(id: number, socket: Socket): Promise<void> {
    const forward = this.#forwards.get(id)
    if (forward === undefined || forward.sockets.size >= maxConnections) {
      socket.destroy()
      return
    }
    forward.sockets.add(socket)
    this.#change(id, ({ open, total }) => ({ open: open + 1, total: total + 1 }))
    const fail = (problem: string): void => this.#change(id, () => ({ problem }))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      forward.sockets.delete(socket)
      this.#change(id, ({ open }) => ({ open: open - 1 }))
    })
    const { key, port } = forward.view
    const connected = await this.#deps.connect(key, port)
    if (!connected.ok) {
      fail(connected.error)
      socket.destroy()
      return
    }
    const pod = connected.value
    if (socket.destroyed) {
      pod.destroy()
      return
    }
    fail('')
    pipeline(socket, pod, () => undefined)
    pipeline(pod, socket, (error) => {
      if (error !== undefined && error !== null && !isOwnEnd(error))
        fail(`The pod closed the connection: ${error.message.trim()}`)
      socket.destroy()
      pod.destroy()
    })
  }
}

/** The client has gone away: that is no problem of the pod. */
function isOwnEnd({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE'
}
