import { objectAt, textAt } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { loadKubeconfig } from '../../cluster/kubeconfig/kubeconfig.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { StreamUrls } from '../../cri/streaming/stream-urls.ts'
import { streamsInProcess } from '../../cri/streaming/terminal-stream.ts'
import { systemClockCommands } from '../cluster/clock-commands.ts'
import { clusterIdOf } from '../cluster/cluster-id.ts'
import { noLinkCommands } from '../cluster/cluster-link.ts'
import { clusterServices, newClusterTrace } from '../cluster/cluster-services.ts'
import { ClusterSession } from '../cluster/cluster-session.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { ServerReachability } from '../cluster/server-reachability.ts'
import type { ClusterConfig, SessionConfig } from '../session-config.ts'
import type { ClusterPorts } from '../session-ports.ts'
import type { StartError } from '../start-error.ts'
import { Changes } from './changes.ts'
import { ClusterWatch } from './cluster-watch.ts'
import { InspectedNodes } from './inspected-nodes.ts'
import { guardedTransport } from './guarded-transport.ts'

type LookConfig = SessionConfig & {
  readonly cluster: Extract<ClusterConfig, { kind: 'look' }>
}

/** Opens the cluster of a kubeconfig to look at it: read-only until the user allows changes. Error: one sentence. */
export async function openSeenCluster(
  config: LookConfig,
  ports: ClusterPorts,
): Promise<Result<OpenCluster, StartError>> {
  const access = await loadKubeconfig({
    file: config.cluster.path,
    context: config.cluster.context ?? undefined,
    environment: ports.environment,
    printLine: ports.printLine,
  })
  if (!access.ok) return err({ exitCode: 2, message: access.error.message })
  return ok(openWith(config, access.value, ports))
}

/** The server's version; empty if it does not say. */
async function versionOf(transport: Transport): Promise<string> {
  try {
    const answer = await transport.send({ method: 'GET', path: '/version' })
    return answer.kind === 'object'
      ? textAt(objectAt({ body: answer.body }, 'body'), 'gitVersion')
      : ''
  } catch {
    // The watches tell why the server does not answer.
    return ''
  }
}

function openWith(
  config: LookConfig,
  access: ClusterAccess,
  { log, parsers }: ClusterPorts,
): OpenCluster {
  const clock = systemClock
  const id = clusterIdOf(access.contextName)
  const trace = newClusterTrace(id, clock, log)
  const random = seededRandom(clock.now() >>> 0)
  const connections = access.createTransport()
  const reachability = new ServerReachability({
    clock,
    onChange: (view) => {
      session.setConnection(view)
    },
    onReachable: () => {
      watch.retryNow()
    },
  })
  const changes = new Changes({
    clock,
    isFixed: config.readOnly,
    onChange: () => {
      session.touchView()
    },
  })
  const transport = guardedTransport(reachability.observe(connections), changes)
  const watch = new ClusterWatch({
    transport,
    clock,
    random,
    log,
    onView: () => {
      session.touchView()
    },
    onPodsStatus: reachability.onWatchStatus,
  })
  const inspected = new InspectedNodes({
    transport,
    credentials: access.credentials,
    clock,
    openObjects: (node, onChange) => watch.objectsOf(node, onChange),
  })
  let version = ''
  const session = new ClusterSession({
    identity: {
      id,
      kind: 'seen',
      label: access.contextName,
      server: access.server,
      exportLine: '',
      manifestsPath: '',
    },
    clock,
    trace,
    readOnly: () => changes.refusal(access.contextName),
    apiPods: watch.apiPods,
    notSimulated: () => [],
    clockFacts: () => ({ virtual: false, paused: false, speed: 1, achieved: null }),
    seen: {
      inferred: (pod) => inspected.inferred(pod),
      isNodeHeard: watch.isNodeHeard,
      view: () => ({
        context: access.contextName,
        user: access.userName,
        namespace: access.namespace,
        version,
        skewMs: null,
        nodes: watch.nodes(),
        watches: watch.watches(),
        color: 0,
        plugin: access.plugin ?? '',
        drains: [],
        changes: changes.view(),
      }),
    },
  })
  const services = clusterServices({
    session,
    trace,
    clock,
    log,
    nodes: new Map(),
    api: new TransportApiClient({ transport }),
    parse: parsers.editor,
    facts: { sandbox: false, readOnly: config.readOnly },
    openStream: streamsInProcess(new StreamUrls(() => 'stream:')),
  })
  watch.start()
  void versionOf(transport).then((found) => {
    version = found
    session.touchView()
  })
  return {
    ...services,
    clock: systemClockCommands,
    link: noLinkCommands,
    changes,
    inspected,
    retryNow: () => {
      watch.retryNow()
    },
    facts: [{ name: 'server', value: `${access.server} (read-only)` }],
    refused: undefined,
    stop: async () => {
      changes.end()
      await inspected.stop()
      watch.stop()
      await connections.close()
    },
  }
}
