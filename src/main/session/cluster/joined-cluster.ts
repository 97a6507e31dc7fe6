import { connectThroughKubelet } from '../port-forward/connect-port.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Lease, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { startedReadOnly } from '../../../shared/model/forecast/read-only.ts'
import type { NotSimulated } from '../../../shared/not-simulated/not-simulated.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { usableCgroupDriver } from '../../cri/client/cgroup-driver.ts'
import { connectRuntime } from '../../cri/client/connect-runtime.ts'
import { containerLogFiles } from '../../cri/client/container-log-file.ts'
import type { CriClient } from '../../cri/client/cri-client.ts'
import { machineFigures } from '../../cri/client/machine-figures.ts'
import { machineHost } from '../../cri/client/machine-host.ts'
import { tracedRuntime } from '../../cri/client/traced-runtime.ts'
import { proxyUpgrade } from '../../cri/streaming/proxy-upgrade.ts'
import { StreamUrls } from '../../cri/streaming/stream-urls.ts'
import { streamsInProcess, streamsOverWebSocket } from '../../cri/streaming/terminal-stream.ts'
import { kubeletStreamServer } from '../../cri/streaming/upgrade.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { describeJoin } from '../../cluster/join/join-check.ts'
import type { JoinError, JoinReport } from '../../cluster/join/join-check.ts'
import { loadKubeconfig } from '../../cluster/kubeconfig/kubeconfig.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { LeaseGuard } from '../../cluster/join/lease-guard.ts'
import type { ApiError, ContainerHost, Log, Random } from '../../kubelet/ports.ts'
import { noEviction } from '../../kubelet/eviction/eviction-settings.ts'
import { defaultKubeletSettings, heartbeatTimeoutMs } from '../../kubelet/kubelet-settings.ts'
import type { KubeletSettings } from '../../kubelet/kubelet-settings.ts'
import { defaultKubeletConfiguration } from '../../kubelet/server/default-configuration.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { machineAddress } from '../../nodes/machine-address.ts'
import { agentTaint, describeNode, realMachine } from '../../nodes/node-description.ts'
import { notDoneByKubelet, notSimulatedOf } from '../../nodes/not-simulated-pods.ts'
import { addressText, startJoinedKubelet } from '../../nodes/serving/joined-kubelet.ts'
import type {
  JoinedKubelet,
  JoinedKubeletDeps,
  KubeletAddress,
} from '../../nodes/serving/joined-kubelet.ts'
import { simulatedHost } from '../../nodes/simulated-host.ts'
import { SimulatedNode } from '../../nodes/simulated-node.ts'
import { nodePodNetwork } from '../../pod-network/node-pod-network.ts'
import { SimulatedRuntime } from '../../runtimes/simulated/simulated-runtime.ts'
import type { ClusterConfig, SessionConfig } from '../session-config.ts'
import type { ClusterPorts } from '../session-ports.ts'
import type { StartError } from '../start-error.ts'
import { systemClockCommands } from './clock-commands.ts'
import { clusterIdOf } from './cluster-id.ts'
import { noLinkCommands } from './cluster-link.ts'
import { clusterServices, newClusterTrace } from './cluster-services.ts'
import { ClusterSession } from './cluster-session.ts'
import { startWhenFree } from './guarded-start.ts'
import type { OpenCluster } from './open-cluster.ts'
import { ServerConnection } from './server-connection.ts'
import { ClusterRecording, podOfNodes } from '../recording/cluster-recording.ts'

/** A node with simulated containers evicts nothing from a real cluster unless its configuration sets thresholds. */
function withoutDefaultEviction(settings = defaultKubeletSettings): KubeletSettings {
  return settings.eviction.isConfigured ? settings : { ...settings, eviction: noEviction }
}

export type JoinConfig = SessionConfig & {
  readonly cluster: Extract<ClusterConfig, { kind: 'kubeconfig' }>
}

/** The kubelet has one; more use the time that a real server takes to answer. */
const statusWritesAtOnce = 8

/** Name of the simulated runtime, before it exists. */
const simulated = { name: 'simulated', version: '' }

/**
 * Joins the cluster of a kubeconfig as a node. First prints the server, the user, the node and the DaemonSets that would
 * land on it, and waits until no other kubelet holds the node's lease. Error: one sentence, exit code 2, nothing written
 * to the cluster.
 */
export async function joinCluster(
  config: JoinConfig,
  ports: ClusterPorts,
): Promise<Result<OpenCluster, StartError>> {
  const access = await loadKubeconfig({
    file: config.cluster.path,
    context: config.cluster.context ?? undefined,
    environment: ports.environment,
    printLine: ports.printLine,
    onPluginOutput: (text) => {
      for (const line of text?.split('\n') ?? []) if (line.trim() !== '') ports.printLine(line)
    },
  })
  return access.ok
    ? joinWithAccess(config, access.value, ports)
    : err({ exitCode: 2, message: access.error.message })
}

/** The same with credentials that are loaded. `pageId`: the id of a cluster that a page joins. */
export async function joinWithAccess(
  config: JoinConfig,
  access: ClusterAccess,
  ports: ClusterPorts,
  pageId?: string,
): Promise<Result<OpenCluster, StartError>> {
  const containers = await containersOf(config, ports)
  if (!containers.ok) return err({ exitCode: 2, message: containers.error })
  const report = await checkJoin(config, access, containers.value !== undefined)
  for (const line of report.ok ? report.value.lines : report.error.lines) ports.printLine(line)
  if (!report.ok) {
    containers.value?.runtime.close()
    return err({ exitCode: 2, message: report.error.message })
  }
  return openJoined(config, access, ports, { containers: containers.value, pageId })
}

/** What joining would do, by reads alone. */
export function checkJoin(
  { nodeName, registerWithTaints = [], cluster }: JoinConfig,
  access: ClusterAccess,
  hasRealContainers = false,
): Promise<Result<JoinReport, JoinError>> {
  return describeJoin({
    access,
    nodeName,
    taints: [agentTaint, ...registerWithTaints],
    labels: describeNode({ nodeName, runtime: simulated, isTainted: true }).labels,
    allowSimulated: cluster.allowSimulated || hasRealContainers,
  })
}

/** Where containers really run. */
interface RealContainers {
  readonly runtime: CriClient
  readonly host: ContainerHost
  /** Of the node; undefined: none was found. */
  readonly address: string | undefined
}

/** The runtime that the config names; undefined: containers are simulated. The error is one sentence. */
async function containersOf(
  { cluster, dataFolder, nodeName }: JoinConfig,
  { printLine, readMachineFile }: Pick<ClusterPorts, 'printLine' | 'readMachineFile'>,
): Promise<Result<RealContainers | undefined, string>> {
  const { runtimeSocketPath } = cluster
  if (runtimeSocketPath === undefined) return ok(undefined)
  const connected = await connectRuntime(runtimeSocketPath)
  if (!connected.ok) return connected
  const driver = await usableCgroupDriver(connected.value, runtimeSocketPath)
  if (!driver.ok) {
    connected.value.close()
    return driver
  }
  const { name, version } = connected.value
  printLine(`container runtime ${name} ${version} at unix://${runtimeSocketPath}`)
  const openLog = containerLogFiles(connected.value)
  const machine = machineHost(dataFolder, driver.value)
  const figures = machineFigures({
    now: systemClock.now,
    folder: dataFolder,
    imageService: connected.value,
    read: readMachineFile,
  })
  const host = { ...machine, openLog, nodeFigures: figures.node, diskLayout: figures.diskLayout }
  return ok({ runtime: connected.value, host, address: await machineAddress(nodeName) })
}

/** The cluster with its node, whose kubelet starts when no other one holds the node's lease. */
async function openJoined(
  config: JoinConfig,
  access: ClusterAccess,
  ports: ClusterPorts,
  {
    containers,
    pageId,
  }: { readonly containers: RealContainers | undefined; readonly pageId: string | undefined },
): Promise<Result<OpenCluster, StartError>> {
  const { log } = ports
  const clock = systemClock
  const startAt = clock.now()
  const trace = newClusterTrace(pageId ?? clusterIdOf(access.contextName), clock, log)
  const recording = new ClusterRecording({ file: ports.recording, trace, clock, log })
  const session = joinedSession({ config, access, trace, containers, pageId })
  const connection = new ServerConnection({
    createTransport: access.createTransport,
    heartbeatTimeoutMs: heartbeatTimeoutMs(config.settings ?? defaultKubeletSettings),
    clock,
    onChange: (view) => {
      session.setConnection(view)
    },
    onReachable: () => {
      node.retryNow()
    },
  })
  const random = seededRandom(startAt >>> 0)
  const streams = new StreamUrls(() => 'stream:')
  const serving: { node?: SimulatedNode } = {}
  const kubelet = await ownServer(config, ports, {
    transport: connection.unobserved,
    server: () => (serving.node?.isRunning === true ? serving.node.kubelet.server : undefined),
    serveStream: containers === undefined ? kubeletStreamServer(streams) : proxyUpgrade,
  })
  if (!kubelet.ok) {
    await connection.close()
    containers?.runtime.close()
    return err({ exitCode: 2, message: kubelet.error })
  }
  const address = kubelet.value?.address
  const parts = { trace, connection, random, containers, streams, address }
  const node = joinedNode(config, ports, parts)
  serving.node = node
  const guard = guardedStart({ session, node, connection, printLine: ports.printLine })
  const nodes = new Map([[node.nodeName, node]])
  const services = clusterServices({
    session,
    trace,
    clock,
    log,
    nodes,
    api: new TransportApiClient({ transport: connection.ofNode.transport }),
    parse: ports.parsers.editor,
    facts: { sandbox: false, readOnly: config.readOnly },
    openStream: containers === undefined ? streamsInProcess(streams) : streamsOverWebSocket,
    connectPort: connectThroughKubelet(session, containers === undefined ? streams : undefined),
    waitsFor: guard.waitsFor,
  })
  const refused = guard.start()
  void refused.then(({ message }) => {
    session.setConnection({ kind: 'waiting', message })
  })
  const { version, recordingsPath: folder } = config
  const pod = podOfNodes(nodes)
  const names = [...nodes.keys()]
  const workloads = undefined
  await recording.begin(
    { version, session, nodes: names, seed: null, workloads, pod, folder },
    startAt,
  )
  return ok({
    ...services,
    clock: systemClockCommands,
    link: noLinkCommands,
    recording,
    facts: [
      { name: 'server', value: access.server },
      { name: 'node', value: node.nodeName },
      ...(address === undefined
        ? []
        : [{ name: 'kubelet', value: `https://${addressText(address)}` }]),
    ],
    refused,
    stop: async () => {
      guard.stop()
      await leave(config, node, log)
      await kubelet.value?.stop()
      await recording.stop()
      await connection.close()
      containers?.runtime.close()
    },
  })
}

/** The kubelet's own server, if the config has an address for it. The error is one sentence. */
async function ownServer(
  { cluster, nodeName, configuration, dataFolder }: JoinConfig,
  { log, printLine }: Pick<ClusterPorts, 'log' | 'printLine'>,
  parts: Pick<JoinedKubeletDeps, 'transport' | 'server' | 'serveStream'>,
): Promise<Result<JoinedKubelet | undefined, string>> {
  const { kubeletAddress: address } = cluster
  if (address === undefined) return ok(undefined)
  return startJoinedKubelet({
    ...parts,
    address,
    nodeName,
    configuration: configuration ?? defaultKubeletConfiguration,
    dataFolder,
    clock: systemClock,
    log,
    say: printLine,
  })
}

/** Updates the Node as configured, and stops the kubelet. */
async function leave(config: JoinConfig, node: SimulatedNode, log: Log): Promise<void> {
  if (config.cluster.exit !== undefined && !node.isRunning)
    log.warn('the kubelet does not run: its Node is not updated on exit', {
      node: node.nodeName,
    })
  await node.leave()
  node.stopKubelet()
}

function notSimulatedWith(
  containers: RealContainers | undefined,
): (pod: Pod) => readonly NotSimulated[] {
  return containers === undefined ? (pod) => notSimulatedOf(pod, false) : notDoneByKubelet
}

function joinedSession({
  config,
  access,
  trace,
  containers,
  pageId,
}: {
  readonly config: JoinConfig
  readonly access: ClusterAccess
  readonly trace: ClusterTrace
  readonly containers: RealContainers | undefined
  readonly pageId: string | undefined
}): ClusterSession {
  return new ClusterSession({
    notSimulated: notSimulatedWith(containers),
    identity: {
      id: pageId ?? clusterIdOf(access.contextName),
      isPageJoined: pageId !== undefined,
      label: access.contextName,
      server: access.server,
      kind: 'joined',
      exportLine: '',
      manifestsPath: config.manifestsPath,
    },
    clock: systemClock,
    trace,
    readOnly: () => (config.readOnly ? startedReadOnly : ''),
    clockFacts: () => ({ virtual: false, paused: false, speed: 1, achieved: null }),
  })
}

/** With the address on which the server listens. */
function servedConfiguration(
  configuration: JsonObject = defaultKubeletConfiguration,
  address: KubeletAddress | undefined,
): JsonObject {
  if (address === undefined) return configuration
  return { ...configuration, address: address.host, port: address.port }
}

function joinedNode(
  config: JoinConfig,
  { log, parsers }: Pick<ClusterPorts, 'log' | 'parsers'>,
  parts: {
    readonly trace: ClusterTrace
    readonly connection: ServerConnection
    readonly random: Random
    readonly containers: RealContainers | undefined
    /** Of simulated containers. */
    readonly streams: StreamUrls
    /** Of the kubelet's own server; undefined: there is none. */
    readonly address: KubeletAddress | undefined
  },
): SimulatedNode {
  const { nodeName, maxPods, registerWithTaints, settings, configuration } = config
  const trace = parts.trace.forNode(nodeName)
  const clock = systemClock
  const { containers } = parts
  const random = parts.random.fork('runtime')
  const simulated = new SimulatedRuntime({
    clock,
    random,
    trace,
    log,
    options: { streaming: parts.streams },
  })
  const { runtime, containerHost } =
    containers === undefined
      ? { runtime: simulated, containerHost: simulatedHost(simulated) }
      : { runtime: tracedRuntime(containers.runtime, trace), containerHost: containers.host }
  const machine =
    containers === undefined ? undefined : realMachine(config.dataFolder, containers.address)
  return new SimulatedNode({
    ...parts.connection.ofNode,
    nodeName,
    description: describeNode({
      nodeName,
      runtime,
      isTainted: true,
      maxPods,
      registerWithTaints,
      machine,
      kubeletPort: parts.address?.port,
      kubeletHost: parts.address?.host,
    }),
    settings: containers === undefined ? withoutDefaultEviction(settings) : settings,
    configuration: servedConfiguration(configuration, parts.address),
    clock,
    random: parts.random.fork(`node ${nodeName}`),
    trace,
    log,
    runtime,
    containerHost,
    ...(containers === undefined ? {} : { podNetwork: nodePodNetwork }),
    manifests: { path: config.manifestsPath },
    manifestUrl: config.manifestUrl,
    parse: parsers.manifests,
    statusWritesAtOnce,
    exit: config.cluster.exit,
    notSimulated: notSimulatedWith(containers),
  })
}

/** Starts the kubelet when no other one holds the node's lease. `start` settles only if one does. */
function guardedStart(deps: {
  readonly session: ClusterSession
  readonly node: SimulatedNode
  readonly connection: ServerConnection
  readonly printLine: (sentence: string) => void
}): {
  /** Why the kubelet has not started yet; empty if it has. */
  readonly waitsFor: () => string
  readonly start: () => Promise<StartError>
  readonly stop: () => void
} {
  const { session, node, connection, printLine } = deps
  const { nodeName } = node
  const unread = 'The manifest folder has not been read yet.'
  let waiting = unread
  const guard = new LeaseGuard({
    readLease: () => readLease(connection.unobserved, nodeName),
    nodeName,
    clock: systemClock,
    onWait: (sentence) => {
      waiting = `${unread} ${sentence}`
      printLine(sentence)
      session.setConnection({ kind: 'waiting', message: sentence })
    },
  })
  const startNode = (): void => {
    waiting = ''
    session.setConnection({ kind: 'connecting' })
    node.startKubelet()
  }
  return {
    waitsFor: () => waiting,
    start: () => startWhenFree(guard, startNode),
    stop: () => {
      guard.stop()
    },
  }
}

function readLease(transport: Transport, name: string): Promise<Result<Lease, ApiError>> {
  const api = new TransportApiClient({ transport })
  return api.get({ resource: 'leases', namespace: 'kube-node-lease', name })
}
