import type { ActError } from '../../../shared/ipc/contract.ts'
import { objectAt, textAt } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { PluginRun } from '../../../shared/model/seen-cluster.ts'
import type { EvictionRehearsal } from '../../../shared/model/seen/drain.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { ClusterRecording } from '../recording/cluster-recording.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { StreamUrls } from '../../cri/streaming/stream-urls.ts'
import { streamsInProcess } from '../../cri/streaming/terminal-stream.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import { systemClockCommands } from '../cluster/clock-commands.ts'
import { noLinkCommands } from '../cluster/cluster-link.ts'
import { clusterServices, newClusterTrace } from '../cluster/cluster-services.ts'
import { ClusterSession } from '../cluster/cluster-session.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { ServerReachability } from '../cluster/server-reachability.ts'
import type { Joinable } from '../joins/page-joins.ts'
import { connectThroughApi } from '../port-forward/connect-port.ts'
import type { SessionPorts } from '../session-ports.ts'
import { Changes } from './changes.ts'
import { ClusterWatch } from './cluster-watch.ts'
import type { InspectedNodesDeps } from './inspected-nodes.ts'
import { InspectedNodes } from './inspected-nodes.ts'
import { GuardedExec } from './guarded-exec.ts'
import { guardedTransport } from './guarded-transport.ts'
import { openExecOf, readLogOf } from './pod-streams.ts'
import { askRights } from './rights/ask-rights.ts'
import { Paced } from './paced.ts'
import { SeenFlow } from './seen-flow.ts'
import { SeenTrace } from './seen-trace.ts'
import { ApplyCommands } from '../apply/apply-commands.ts'
import { NodeEdits } from '../node-edit/node-edits.ts'
import { OwnerCommands } from '../workloads/owner-commands.ts'
import { Workloads } from '../workloads/workloads.ts'
import { SeenNodeCommands } from './seen-node-commands.ts'
import { ServerProbe } from './server-probe.ts'
import { ServerSkew } from './server-skew.ts'

export interface SeenClusterOptions {
  /** Of the session; pod keys begin with it. */
  readonly id: string
  /** The name of the context, told apart from that of another open cluster. */
  readonly label: string
  readonly access: ClusterAccess
  /** Fixed by --read-only. */
  readonly isReadOnly: boolean
  readonly version: string
  /** Of recordings that a page starts, absolute. */
  readonly recordingsPath: string
  /** From 0 to 5. */
  readonly color: number
  /** Of serving certificates of kubelets that the user accepted before. */
  readonly certificates: Pick<InspectedNodesDeps, 'accepted' | 'keepAccepted'>
  /** Of its credential plugin. */
  readonly pluginRun: () => PluginRun | null
}

/** Time between two views because of what the watches bring, at least: a view has every node. */
const viewEveryMs = 500

/** A cluster that is looked at, and what joining it needs. */
export interface OpenSeenCluster extends OpenCluster {
  readonly joinable: Joinable
}

/** Of the question whether the server answers, real ms. */
const probeLimitMs = 4000

const versionRequest = { method: 'GET', path: '/version' } as const

/** The server's version; empty if it does not say. */
async function versionOf(transport: Transport): Promise<string> {
  try {
    const answer = await transport.send(versionRequest)
    return answer.kind === 'object'
      ? textAt(objectAt({ body: answer.body }, 'body'), 'gitVersion')
      : ''
  } catch {
    // The watches tell why the server does not answer.
    return ''
  }
}

/** Opens a cluster to look at it: read-only until the user allows changes. Sends the first requests. */
export function openSeenCluster(
  options: SeenClusterOptions,
  { log, parsers }: Pick<SessionPorts, 'log' | 'parsers'>,
): OpenSeenCluster {
  const { id, label, access, isReadOnly, version, recordingsPath, color, pluginRun } = options
  const clock = systemClock
  const context = access.contextName
  const trace = newClusterTrace(id, clock, log)
  const recording = new ClusterRecording({ file: undefined, trace, clock, log })
  const connections = access.createTransport()
  const probing = access.createTransport({
    requestTimeoutMs: probeLimitMs,
    connectTimeoutMs: probeLimitMs,
  })
  const reachability = new ServerReachability({
    clock,
    onChange: (view) => {
      session.setConnection(view)
      watch.noteConnection(view)
      probe.check()
    },
    onReachable: () => {
      watch.retryNow()
      askVersion()
    },
  })
  const probe: ServerProbe = new ServerProbe({
    clock,
    server: reachability,
    ask: () => reachability.observe(probing).send(versionRequest),
  })
  const onView = (): void => {
    session.touchView()
  }
  const watched = new Paced({ clock, everyMs: viewEveryMs, call: onView })
  const changes: Changes = new Changes({
    clock,
    isFixed: isReadOnly,
    // The rows and the detail say what may be done.
    onChange: () => {
      if (!changes.areAllowed) {
        terminals.closeAll()
        services.ports.stopAll()
      }
      onView()
    },
  })
  const terminals = new GuardedExec(changes)
  const readOnly = (): string => changes.refusal(label)
  const skew = new ServerSkew(clock)
  const transport = guardedTransport(
    skew.observe(reachability.observe(connections)),
    changes,
    label,
  )
  const watch = new ClusterWatch({
    transport,
    clock,
    random: seededRandom(clock.now() >>> 0),
    log,
    onView: (node) => {
      watched.touch()
      if (node !== undefined && flow.isShown(node)) session.touchFlow(node)
    },
    skewMs: () => skew.certainMs,
    onPodsStatus: (status) => {
      reachability.onWatchStatus(status)
      if (status.kind === 'connected') askVersion()
    },
  })
  const flow = new SeenFlow({
    cluster: id,
    trace,
    podsOf: (node) => watch.podsOf(node),
    renewals: (node) => watch.renewals(node),
    now: clock.now,
  })
  const api = new TransportApiClient({ transport })
  const nodes = new SeenNodeCommands({
    cluster: id,
    context,
    watch,
    api,
    clock,
    log,
    readOnly,
    onChange: onView,
  })
  const inspected = new InspectedNodes({
    ...options.certificates,
    transport,
    credentials: access.credentials,
    clock,
    openObjects: (node, onChange) => watch.objectsOf(node, onChange),
    onStatics: onView,
    onView: (node) => {
      session.touchInspection(node)
    },
    onInferred: (node, uid) => {
      session.touchRow(node, uid)
      const pod = watch.apiPods.get(uid)
      if (pod !== undefined) seenTrace.conclude(pod)
    },
  })
  const seenTrace = new SeenTrace({
    trace,
    clock,
    pod: (uid) => watch.apiPods.get(uid),
    inspected: (pod) => inspected.conclusion(pod),
  })
  watch.apiPods.listen(({ before, after }) => {
    seenTrace.podChanged(before, after)
  })
  watch.onEvent((event) => {
    seenTrace.eventRecorded(event)
  })
  const session: ClusterSession = new ClusterSession({
    identity: {
      id,
      kind: 'seen',
      label,
      server: access.server,
      exportLine: '',
      manifestsPath: '',
    },
    clock,
    trace,
    readOnly,
    apiPods: watch.apiPods,
    budgets: watch.budgets,
    notSimulated: () => [],
    clockFacts: () => ({ virtual: false, paused: false, speed: 1, achieved: null }),
    seen: {
      inferred: (pod) => inspected.inferred(pod),
      isNodeHeard: watch.isNodeHeard,
      inspection: (node) => inspected.view(node),
      flow,
      view: () => ({
        context,
        user: access.userName,
        namespace: access.namespace,
        version: watch.serverVersion,
        skewMs: skew.skewMs,
        nodes: watch.nodes().map((node) => ({ ...node, statics: inspected.statics(node.name) })),
        watches: watch.watches(),
        color,
        plugin: access.plugin ?? '',
        pluginRun: pluginRun(),
        drains: nodes.drains(),
        changes: changes.view(),
      }),
    },
  })
  const workloads = new Workloads({ transport, pods: watch.apiPods, now: clock.now, log })
  const services = clusterServices({
    session,
    trace,
    clock,
    log,
    nodes: new Map(),
    api,
    parse: parsers.editor,
    facts: { sandbox: false, readOnly: isReadOnly },
    openStream: streamsInProcess(new StreamUrls(() => 'stream:')),
    openExec: terminals.guard(openExecOf(access), label),
    connectPort: connectThroughApi(session, access, {
      refusal: readOnly,
      extend: () => {
        changes.extend()
      },
    }),
    seen: {
      readLog: readLogOf(transport),
      eventsIn: (namespace) => watch.eventsIn(namespace),
      clusterEvents: (query) => watch.events(query),
    },
  })
  const askVersion = (): void => {
    if (watch.serverVersion !== '') return
    void versionOf(transport).then((found) => {
      watch.serverVersion = found
      onView()
    })
  }
  void recording.begin(
    {
      version,
      session,
      nodes: [],
      seed: null,
      // Without a page that looks at them the server is not asked for them.
      workloads: { of: workloads, isAlways: false },
      pod: (_node, uid) => watch.apiPods.get(uid),
      folder: recordingsPath,
    },
    clock.now(),
  )
  watch.start()
  askVersion()
  return {
    ...services,
    clock: systemClockCommands,
    cordon: (act, node) => nodes.cordon(act, node),
    link: noLinkCommands,
    recording,
    changes,
    seen: {
      nodes,
      rehearseEviction: async (key, grace) => rehearseEviction({ session, api }, key, grace),
      rights: async (namespace) => {
        const { namespace: contextNamespace } = access
        const now = clock.now()
        const asked = await askRights(transport, { namespace, contextNamespace, now })
        return asked.ok ? asked : err({ kind: 'failed', message: asked.error })
      },
    },
    inspected,
    workloads,
    owners: new OwnerCommands({ workloads, api, now: clock.now, readOnly, context }),
    nodeEdits: new NodeEdits({ api, pods: watch.apiPods, readOnly, context }),
    apply: new ApplyCommands({
      transport,
      parse: parsers.editor,
      readOnly,
      namespace: access.namespace,
    }),
    retryNow: () => {
      access.credentials.refused()
      watch.retryNow()
      probe.askNow()
    },
    facts: [{ name: 'server', value: `${access.server} (read-only)` }],
    refused: undefined,
    joinable: {
      access,
      refusal: readOnly,
      extend: () => {
        changes.extend()
      },
    },
    stop: async () => {
      nodes.stop()
      changes.end()
      probe.stop()
      await recording.stop()
      workloads.stop()
      await inspected.stop()
      watch.stop()
      watched.stop()
      await Promise.all([access.endPlugin(), connections.close(), probing.close()])
    },
  }
}

/** Asks the server for a dry run, which evicts nothing. */
async function rehearseEviction(
  { session, api }: { readonly session: ClusterSession; readonly api: ApiClient },
  key: PodKey,
  gracePeriodSeconds: number | null,
): Promise<Result<EvictionRehearsal, ActError>> {
  const target = session.actTarget(key)
  if (target === undefined)
    return err({ kind: 'not-found', message: 'The API server no longer has this pod.' })
  const { facts, apiUid } = target
  if (facts.readOnly !== '') return err({ kind: 'read-only', message: facts.readOnly })
  const answer = await api.evict(
    { namespace: facts.namespace, name: facts.name },
    {
      dryRun: true,
      preconditions: { uid: apiUid },
      ...(gracePeriodSeconds === null ? {} : { gracePeriodSeconds }),
    },
  )
  if (answer.ok) return ok({ isAccepted: true, code: 201, message: '' })
  const { code = 0, message, causes = [] } = answer.error
  return ok({ isAccepted: false, code, message: [message, ...causes].join(' ') })
}
