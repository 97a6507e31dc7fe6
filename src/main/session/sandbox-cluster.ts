import { mkdir } from 'node:fs/promises'
import { ClusterSession } from './cluster-session.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/api-client.ts'
import { OutageSwitch } from '../cluster/outage-switch.ts'
import type { Log, Random } from '../kubelet/ports.ts'
import { ClusterTrace } from '../kubelet/trace.ts'
import type { RecordingFile } from '../recorder/recording-file.ts'
import type { WatchFolder } from '../sources/folder-watch.ts'
import { parsersInPlace } from '../parsing/kubernetes-text.ts'
import type { Parsers, ParseText } from '../parsing/kubernetes-text.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { ClusterLink } from './cluster-link.ts'
import { clockView, virtualClockCommands } from './clock-commands.ts'
import { exportLine } from './export-line.ts'
import { FolderManifestDesk } from './folder-manifest-desk.ts'
import { KubeletAgent } from './kubelet-agent.ts'
import { NodeCommands } from './node-commands.ts'
import { notSimulatedOf } from './not-simulated-pods.ts'
import { NodeSeat } from './node-seat.ts'
import type { OpenSandbox } from './open-cluster.ts'
import { PodCommands } from './pod-commands.ts'
import { ClusterInquiry } from './pod-inquiry.ts'
import { startSandboxServer } from './sandbox-server.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { ManifestUrlConfig } from './session-config.ts'
import { makeRecorder, recordedRows } from './session-recorder.ts'

/** What a sandbox is made of. Paths are absolute. */
export interface SandboxOptions {
  /** Of the cluster among all that are open; also what the page calls it. */
  readonly id: string
  readonly version: string
  /** Each with a manifest folder of its own; at least one. */
  readonly nodes: readonly { readonly name: string; readonly manifestsPath: string }[]
  readonly maxPods: number
  readonly manifestUrl: ManifestUrlConfig | null
  /** Port of the API server for kubectl; 0 takes any free one. */
  readonly port: number
  readonly kubeconfigPath: string
  readonly seed: number
  /** ms since 1970 at which the cluster's time begins; default: now. */
  readonly startAt?: number
  readonly readOnly: boolean
}

interface SandboxPorts {
  readonly log: Log
  /** Default: in place. */
  readonly parsers?: Parsers | undefined
  /** Over the manifest folders; default: the operating system's. */
  readonly watchFolder?: WatchFolder | undefined
  readonly recording?: RecordingFile | undefined
}

/** Second number of the first node's pod addresses; each further node takes the one below. */
const firstPodNetwork = 244

/** What all nodes of a sandbox share. */
interface Shared {
  readonly options: SandboxOptions
  readonly log: Log
  readonly parse: ParseText
  readonly watchFolder: WatchFolder | undefined
  readonly clock: VirtualClock
  readonly random: Random
  readonly trace: ClusterTrace
  readonly server: SandboxServer
  readonly session: ClusterSession
}

interface SandboxNode {
  readonly seat: NodeSeat
  readonly desk: FolderManifestDesk
  readonly link: OutageSwitch
}

/** A cluster inside the program: API server, nodes, a clock of their own, which stands still. Error: one sentence. */
export async function openSandbox(
  options: SandboxOptions,
  ports: SandboxPorts,
): Promise<Result<OpenSandbox, string>> {
  const { log, watchFolder, parsers = parsersInPlace } = ports
  const { startAt = Date.now() } = options
  const onError = (error: unknown): void => {
    log.error('the cluster broke', { error: String(error) })
  }
  const clock = new VirtualClock(nodeClockHost, { startAt, onError })
  const trace = new ClusterTrace({ cluster: options.id, clock, onError })
  const recorder = makeRecorder(ports.recording, { trace, clock, log })
  const random = seededRandom(options.seed)
  const { port, kubeconfigPath } = options
  const made = await makeFolders(options)
  if (!made.ok) return made
  const started = await startSandboxServer({
    clock,
    random,
    trace,
    log,
    parse: parsers.bodies,
    port,
    kubeconfigPath,
  })
  if (!started.ok) return err(started.error)
  const server = started.value
  const session = sessionOf(options, { clock, trace, server })
  const onChange = (): void => {
    session.touchView()
  }
  server.controlPlane.onBudget(onChange)
  const parse = parsers.manifests
  const shared = { options, log, parse, watchFolder, clock, random, trace, server, session }
  const nodes = new Map(options.nodes.map((node) => [node.name, sandboxNode(shared, node)]))
  const seats = new Map([...nodes].map(([name, { seat }]) => [name, seat]))
  const links = new Map([...nodes].map(([name, { link: way }]) => [name, way]))
  const link = new ClusterLink({ session, trace, clock, links, readOnly: options.readOnly })
  const retryNow = (): void => {
    for (const seat of seats.values()) seat.retryNow()
  }
  session.setConnection({ kind: 'connected' })
  const header = {
    version: options.version,
    startedAt: new Date(startAt).toISOString(),
    cluster: options.id,
    server: server.url,
    nodes: [...seats.keys()],
    clock: { virtual: true, startAt },
    seed: options.seed,
  }
  await recorder?.begin(header, recordedRows(session, seats))
  for (const seat of seats.values()) seat.startAgent([])
  const adminTransport = server.adminTransport()
  const admin = new TransportApiClient({ transport: adminTransport })
  const facts = { sandbox: true, readOnly: options.readOnly }
  return ok({
    session,
    commands: new PodCommands({ session, trace, api: admin, log }),
    clock: virtualClockCommands({ clock, trace, onChange }),
    inquiry: new ClusterInquiry({ session, trace, api: admin }),
    nodes: new NodeCommands({ seats, links: link, trace, clock, facts }),
    link,
    manifests: new Map([...nodes].map(([name, { desk }]) => [name, desk])),
    retryNow,
    virtualClock: clock,
    admin,
    adminTransport,
    facts: [
      { name: 'kubeconfig', value: kubeconfigPath },
      { name: 'kubectl', value: exportLine(kubeconfigPath) },
      { name: 'seed', value: String(options.seed) },
    ],
    // Nobody else can hold a node in this process.
    refused: undefined,
    stop: async () => {
      clock.pause()
      for (const seat of seats.values()) seat.stopAgent([])
      await server.stop()
      await recorder?.stop()
    },
  })
}

/** Where the further nodes find their manifests; the first node's folder is the user's. */
async function makeFolders({ nodes }: SandboxOptions): Promise<Result<undefined, string>> {
  for (const { name, manifestsPath } of nodes.slice(1))
    try {
      await mkdir(manifestsPath, { recursive: true, mode: 0o700 })
    } catch (error) {
      return err(
        `The manifest folder ${manifestsPath} of ${name} cannot be made: ${String(error)}.`,
      )
    }
  return ok(undefined)
}

function sessionOf(
  options: SandboxOptions,
  parts: Pick<Shared, 'clock' | 'trace' | 'server'>,
): ClusterSession {
  const { clock, trace, server } = parts
  return new ClusterSession({
    identity: {
      id: options.id,
      label: options.id,
      server: server.url,
      sandbox: true,
      exportLine: exportLine(options.kubeconfigPath),
      manifestsPath: options.nodes[0]?.manifestsPath ?? '',
    },
    clock,
    presentNow: () => clock.present,
    trace,
    readOnly: options.readOnly,
    budgets: server.controlPlane.budgets,
    apiPods: server.pods,
    clockFacts: () => clockView(clock),
  })
}

/** One node, with nothing started. */
function sandboxNode(
  shared: Shared,
  { name, manifestsPath }: SandboxOptions['nodes'][number],
): SandboxNode {
  const { options, log, parse, clock, trace, server, session } = shared
  const nodeTrace = trace.forNode(name)
  const index = options.nodes.findIndex((node) => node.name === name)
  const random = shared.random.fork(`node ${name}`)
  const runtime = new SimulatedRuntime({
    clock,
    // The first node's chance is what a sandbox of one node has always had.
    random: index === 0 ? shared.random.fork('runtime') : random.fork('runtime'),
    trace: nodeTrace,
    log,
    // No two pods of a cluster have one address.
    options: { podCidr: `10.${firstPodNetwork - index}.0.0/16` },
  })
  const link = new OutageSwitch({ transport: server.nodeTransport(name) })
  const seat = new NodeSeat({
    nodeName: name,
    trace: nodeTrace,
    runtime,
    makeAgent: (life) =>
      new KubeletAgent({
        nodeName: name,
        transport: link,
        server: server.url,
        clock,
        random: life === 1 ? random : random.fork(`life ${life}`),
        trace: nodeTrace,
        log,
        runtime,
        manifestsPath,
        parse,
        watchFolder: shared.watchFolder,
        manifestUrl: options.manifestUrl,
        isTainted: false,
        notSimulated: (pod) => notSimulatedOf(pod, true),
        maxPods: options.maxPods,
        // Whether it is away is known from the switch.
        onConnection: () => undefined,
        onChange: () => {
          session.touchView()
        },
      }),
    onChange: (change) => {
      session.changeAgent(name, change)
    },
  })
  session.addAgent(seat)
  const desk = new FolderManifestDesk({
    cluster: options.id,
    nodeName: name,
    source: seat.manifests,
    hash: nodeHash,
    parse,
    clock,
    readOnly: options.readOnly,
    waiting: () =>
      seat.isRunning ? '' : `The kubelet of ${name} is stopped and does not read it.`,
    url: seat.urlView,
  })
  return { seat, desk, link }
}
