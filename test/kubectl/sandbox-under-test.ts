import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../src/shared/json.ts'
import type { KubeRequest, KubeResponse } from '../../src/shared/kubernetes/request.ts'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import type { Log, Trace } from '../../src/main/kubelet/ports.ts'
import { SandboxApiServer, type Caller } from '../../src/main/sandbox/api-server.ts'
import { startHttpsListener } from '../../src/main/sandbox/surface/https-listener.ts'
import {
  sandboxKubeconfig,
  writeKubeconfig,
} from '../../src/main/sandbox/surface/kubeconfig-file.ts'
import { createServingCertificates } from '../../src/main/sandbox/surface/serving-certificates.ts'
import { sandboxPodWarnings } from '../../src/main/nodes/not-simulated-pods.ts'
import { storedOnlyWarnings } from '../../src/shared/not-simulated/kinds.ts'

const caller: Caller = { user: 'tester', groups: ['system:masters'], client: 'test' }

/** A second user of the kubeconfig, by a client certificate. */
const certificateUser = { user: 'jane', groups: ['dev', 'ops'] }

/** A sandbox's API server with its listener, and direct access for the tests. */
export interface SandboxUnderTest {
  readonly clock: VirtualClock
  readonly url: string
  readonly caPem: string
  readonly token: string
  readonly kubeconfig: string
  /** A kubeconfig for the same server with another token. */
  readonly wrongKubeconfig: string
  /** The users of all writes, from the trace. */
  readonly users: readonly string[]
  /** Warnings and errors in the log of the server: empty at the end of a successful run. */
  readonly logged: readonly string[]
  /** The answer to a direct request; throws if it is an error. */
  readonly ask: (
    method: KubeRequest['method'],
    path: string,
    body?: unknown,
    contentType?: string,
  ) => Promise<JsonObject>
  /** The object at a path, `undefined` if it does not exist. */
  readonly find: (path: string) => Promise<JsonObject | undefined>
  /** Waits until a condition holds for the object at a path (`undefined`: it does not exist). */
  readonly until: (
    path: string,
    isSo: (object: JsonObject | undefined) => boolean,
  ) => Promise<JsonObject | undefined>
  readonly stop: () => Promise<void>
}

function bodyOf(request: string, response: KubeResponse): JsonObject {
  if (response.kind !== 'object' || !isJsonObject(response.body)) {
    throw new Error(`${request}: no object but ${response.kind}`)
  }
  return response.body
}

function failingLog(logged: string[]): Log {
  const write = (message: string, fields?: unknown): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  return { debug: () => undefined, info: () => undefined, warn: write, error: write }
}

async function kubeconfigFile(path: string, text: string): Promise<string> {
  const written = await writeKubeconfig(path, text)
  if (!written.ok) throw new Error(written.error.message)
  return path
}

/** Starts a server with files in this folder, at the present time and on a free port. */
export async function startSandbox(folder: string): Promise<SandboxUnderTest> {
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
  const logged: string[] = []
  const log = failingLog(logged)
  const random = seededRandom(1)
  const users: string[] = []
  const trace: Trace = {
    emit: (event) => {
      if (event.kind === 'object.written') users.push(event.data.user)
      return 0
    },
  }
  const server = new SandboxApiServer({
    clock,
    random,
    trace,
    log,
    podWarnings: sandboxPodWarnings,
    kindWarnings: storedOnlyWarnings,
  })
  const token = 'token-of-the-test'
  const credentials = new Map([[token, caller]])
  const certificates = await createServingCertificates([certificateUser])
  const served = { server, port: 0, clock, credentials, certificates, log }
  const listener = await startHttpsListener(served)
  if (!listener.ok) throw new Error(listener.error.message)
  const { url, caPem } = listener.value
  clock.run()
  const send = (
    method: KubeRequest['method'],
    path: string,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<KubeResponse> => {
    clock.catchUp()
    const headers = { accept: 'application/json', 'content-type': contentType }
    const request: KubeRequest = { method, path, headers, ...(body === undefined ? {} : { body }) }
    return server.handle(request, caller)
  }
  const find = async (path: string): Promise<JsonObject | undefined> => {
    const response = await send('GET', path)
    return response.status === 404 ? undefined : bodyOf(path, response)
  }
  const [certificate] = certificates.clients
  const facts = {
    url,
    caPem,
    clusterName: 'nodescope-sandbox',
    certificateUser: certificate && { name: certificateUser.user, certificate },
  }
  return {
    clock,
    url,
    caPem,
    token,
    kubeconfig: await kubeconfigFile(
      join(folder, 'config'),
      sandboxKubeconfig({ ...facts, token }),
    ),
    wrongKubeconfig: await kubeconfigFile(
      join(folder, 'wrong-config'),
      sandboxKubeconfig({ ...facts, token: 'another-token' }),
    ),
    users,
    logged,
    ask: async (method, path, body, contentType) => {
      const response = await send(method, path, body, contentType)
      const answer = bodyOf(`${method} ${path}`, response)
      if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer
    },
    find,
    until: async (path, isSo) => {
      for (;;) {
        const object = await find(path)
        if (isSo(object)) return object
        await new Promise((resolve) => {
          setTimeout(resolve, 10)
        })
      }
    },
    stop: async () => {
      clock.pause()
      await listener.value.stop()
    },
  }
}
