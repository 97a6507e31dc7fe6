import type { IncomingMessage } from 'node:http'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import { kubeletStreamServer } from '../../cri/streaming/upgrade.ts'
import type { RequestAuth } from '../../kubelet/server/request-authorization.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { Caller } from '../../sandbox/auth/caller.ts'
import { authenticator } from '../../sandbox/surface/authenticator.ts'
import type { HttpsServer } from '../../sandbox/surface/https-server.ts'
import type { ServingCertificates } from '../../sandbox/surface/serving-certificates.ts'
import type { Sandbox } from '../sandbox.ts'
import { startKubeletListener } from './kubelet-listener.ts'

const host = '127.0.0.1'

export interface SandboxKubeletsDeps {
  readonly nodeNames: readonly string[]
  /** Of the first kubelet; the others have the following ones. 0: any free ones. */
  readonly port: number
  readonly certificates: ServingCertificates
  readonly credentials: ReadonlyMap<string, Caller>
  /** Undefined until it is there: then no kubelet answers. */
  readonly sandbox: () => Sandbox | undefined
  readonly clock: VirtualClock
  readonly log: Log
}

/** The kubelets' own servers, on ports of this machine. */
export interface SandboxKubelets {
  /** By the name of the node. */
  readonly ports: ReadonlyMap<string, number>
  readonly stop: () => Promise<void>
}

/** Starts a server for the kubelet of each node. Error: one sentence, nothing left running. */
export async function startSandboxKubelets(
  deps: SandboxKubeletsDeps,
): Promise<Result<SandboxKubelets, string>> {
  const servers = new Map<string, HttpsServer>()
  const stop = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
  for (const [index, name] of deps.nodeNames.entries()) {
    const port = deps.port === 0 ? 0 : deps.port + index
    const server = await startOne(deps, name, port)
    if (!server.ok) {
      await stop()
      return err(portProblem(name, port, server.error))
    }
    servers.set(name, server.value)
  }
  const ports = new Map([...servers].map(([name, { port }]) => [name, port]))
  return ok({ ports, stop })
}

function startOne(
  deps: SandboxKubeletsDeps,
  name: string,
  port: number,
): Promise<Result<HttpsServer, NodeJS.ErrnoException>> {
  const { sandbox, certificates, clock, log } = deps
  const authenticate = authenticator(deps.credentials, (token) =>
    sandbox()?.server.callerOfToken(token),
  )
  return startKubeletListener({
    host,
    port,
    ...certificates,
    clientCas: [certificates.caPem],
    server: () => {
      const node = sandbox()?.nodes.get(name)
      return node?.isRunning === true ? node.kubelet.server : undefined
    },
    authOf: (incoming) => sandboxAuth(incoming, { authenticate, sandbox }),
    serveStream: (upgrade, stream) => {
      const streams = sandbox()?.streams
      if (streams === undefined) upgrade.socket.destroy()
      else kubeletStreamServer(streams)(upgrade, stream)
    },
    beforeRequest: () => {
      clock.catchUp()
    },
    log,
  })
}

/** The credentials and rights of the sandbox's API server. */
function sandboxAuth(
  incoming: IncomingMessage,
  deps: Pick<SandboxKubeletsDeps, 'sandbox'> & {
    readonly authenticate: ReturnType<typeof authenticator>
  },
): RequestAuth {
  const caller = deps.authenticate(incoming)
  return {
    authenticate: () =>
      Promise.resolve(
        caller === undefined ? undefined : { name: caller.user, groups: caller.groups },
      ),
    authorize: (user, attributes) => {
      const asking = { user: user.name, groups: user.groups, client: '' }
      const server = deps.sandbox()?.server
      return Promise.resolve(ok(server?.isAllowedOnNode(asking, attributes) === true))
    },
  }
}

function portProblem(name: string, port: number, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host}, for the kubelet of ${name}, is in use by another program: choose another with --kubelet-port (0 takes any free one).`
    case 'EACCES':
      return `Port ${port} needs privileges that this user does not have: choose one above 1023 with --kubelet-port.`
    default:
      return `The kubelet of ${name} cannot listen on ${host}:${port}: ${message}.`
  }
}
