import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import type { Log } from '../../../src/main/kubelet/ports.ts'
import { SandboxApiServer, type Caller } from '../../../src/main/sandbox/api-server.ts'
import { startHttpsListener } from '../../../src/main/sandbox/surface/https-listener.ts'
import { sandboxKubeconfig } from '../../../src/main/sandbox/surface/kubeconfig-file.ts'
import { startControlPlane } from '../control-plane.ts'

/** An API server over HTTPS, with kubeconfigs for the administrator and the nodes. */
export interface ApiServerUnderTest {
  readonly name: string
  readonly adminKubeconfig: string
  /** The certificate of its authority; empty for the sandbox. */
  readonly caFile: string
  /** By the node's name: as `system:node:<name>`. */
  readonly nodeKubeconfigs: ReadonlyMap<string, string>
  /** For the files of the kubelets; removed by `stop`. */
  readonly folder: string
  /** Warnings and errors of the server. */
  readonly logged: readonly string[]
  /** Where its audit log is; undefined: it writes none. */
  readonly auditLog?: string | undefined
  readonly stop: () => Promise<void>
}

function failingLog(logged: string[]): Log {
  const write = (message: string, fields?: unknown): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  return { debug: () => undefined, info: () => undefined, warn: write, error: write }
}

function callerOf(user: string, group: string): Caller {
  return { user, groups: [group, 'system:authenticated'], client: 'test' }
}

/** The sandbox behind its listener, on the present time, without a control plane. */
export async function startSandboxApiServer(nodes: readonly string[]): Promise<ApiServerUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-integration-sandbox-'))
  const logged: string[] = []
  const log = failingLog(logged)
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
  const random = seededRandom(1)
  const server = new SandboxApiServer({ clock, random, trace: { emit: () => 0 }, log })
  const tokenOf = (user: string): string => `token-of-${user}`
  const credentials = new Map([
    [tokenOf('admin'), callerOf('admin', 'system:masters')],
    ...nodes.map(
      (node) => [tokenOf(node), callerOf(`system:node:${node}`, 'system:nodes')] as const,
    ),
  ])
  const listener = await startHttpsListener({ server, port: 0, clock, credentials, log })
  if (!listener.ok) throw new Error(listener.error.message)
  clock.run()
  const { url, caPem, stop } = listener.value
  const kubeconfigOf = async (user: string): Promise<string> => {
    const file = join(folder, `${user}.kubeconfig`)
    const text = sandboxKubeconfig({ url, caPem, token: tokenOf(user), clusterName: 'server' })
    await writeFile(file, text, { mode: 0o600 })
    return file
  }
  const nodeKubeconfigs = new Map<string, string>()
  for (const node of nodes) nodeKubeconfigs.set(node, await kubeconfigOf(node))
  return {
    name: 'the sandbox',
    adminKubeconfig: await kubeconfigOf('admin'),
    caFile: '',
    nodeKubeconfigs,
    folder,
    logged,
    stop: async () => {
      clock.pause()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** kube-apiserver with the Node and RBAC authorisers and NodeRestriction, no controllers. */
export async function startKubeApiserver(
  environment: NodeJS.ProcessEnv,
  nodes: readonly string[],
): Promise<ApiServerUnderTest> {
  const plane = await startControlPlane({ environment, nodes, audit: true })
  const folder = join(plane.folder, 'agents')
  await mkdir(folder)
  return {
    name: 'kube-apiserver',
    adminKubeconfig: plane.adminKubeconfig,
    caFile: join(plane.folder, 'ca.crt'),
    nodeKubeconfigs: plane.nodeKubeconfigs,
    folder,
    logged: [],
    auditLog: plane.auditLog,
    stop: plane.stop,
  }
}
