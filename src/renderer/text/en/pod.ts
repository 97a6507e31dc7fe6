import { exitCodeWords } from '../../../shared/kubernetes/printers/exit-code.ts'
import type { ProviderAnswer } from '../../../shared/model/explanation/explanation-fields.ts'
import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import { common } from './common.ts'
import { counted, countOf } from './plural.ts'
import { resources } from './resources.ts'
import { volumes } from './volumes.ts'

/** `exit 137, ended by SIGKILL`. */
function exit(code: number): string {
  return [`exit ${code}`, exitCodeWords(code)].filter((part) => part !== '').join(', ')
}

const answers: Readonly<Record<ProviderAnswer, string>> = {
  knownTerminated: 'known to be terminated',
  couldHaveRunningContainers: 'could have running containers',
  shouldBeFinished: 'should be finished',
  terminationRequested: 'termination requested',
  containersShouldBeTerminating: 'containers should be terminating',
  runtimeMayBeRemoved: 'runtime may be removed',
  contentMayBeRemoved: 'content may be removed',
  mirrorIsGuarded: 'mirror is kept while it stops',
}

export const pod = {
  label: (namespace: string, name: string) => `Pod ${namespace}/${name}`,
  width: 'Drawer width',
  close: 'Close the panel',
  closeTitle: 'Close (Esc)',
  node: 'Its node',
  noNode: 'no node yet',
  noNodeTitle: 'No node of this cluster has the pod',
  orphanMirror: 'orphan mirror',
  acts: 'Actions',
  actTitle: (act: string, shortcut: string) => `${act} (${shortcut})`,
  gone: 'This pod is gone: the kubelet no longer has it. The last known state is shown.',
  showCurrent: 'Show the current pod of this name',
  tabList: 'About the pod',
  tabs: {
    summary: 'Summary',
    containers: common.containers,
    logs: 'Logs',
    terminal: 'Terminal',
    volumes: 'Volumes and environment',
    history: 'History',
    events: common.events,
    yaml: 'YAML',
  },
  moreTabs: (count: number) => `${count} more`,
  moreTabsLabel: (count: number, names: string) => `${count} more tabs: ${names}`,
  moreTabsMenu: 'More tabs',
  volumes,
  worker: 'Worker state',
  why: { done: 'Done: ', now: 'Now: ', next: 'Next: ' },
  notSimulated: 'Not simulated',
  conditionSince: (time: string) => `since ${time}`,
  pair: {
    title: 'Static pod and mirror',
    show: 'Show in Mirrors',
    link: {
      matched: 'its config.mirror is the static pod’s config.hash',
      missing: 'no mirror in the API; the next sync creates one',
      stale: 'its config.mirror belongs to another version',
      deleting: 'it has a deletionTimestamp; the kubelet recreates it',
    },
    /** Only SyncPod creates mirrors (kubelet pkg/kubelet/kubelet.go: tryReconcileMirrorPods). */
    linkWithoutSync: {
      missing: 'no mirror in the API; only SyncPod would create one',
      deleting: 'it has a deletionTimestamp; only SyncPod would recreate it',
    },
  },
  provider: {
    title: 'Pod state provider',
    lead: 'What the worker reports to the rest of the kubelet:',
    answers,
  },
  record: {
    title: 'Worker record',
    explain: 'What do these mean?',
    labels: {
      state: 'state',
      fullName: 'full name',
      working: 'working now',
      pendingUpdate: 'pending update',
      activeUpdate: 'active update',
      currentSync: 'sync running',
      cancelled: 'canceled',
      syncedAt: 'first synced',
      startedAt: 'started',
      blockedByUid: 'waits for',
      nextSyncAt: 'next sync',
      terminatingAt: 'terminating since',
      terminatingBecause: 'because of',
      acknowledgedTerminating: 'acknowledged',
      gracePeriodSeconds: 'grace period',
      waitingForEnd: 'pending kills',
      statusFunctions: 'status functions',
      terminatedAt: 'terminated',
      finished: 'finished',
      deleted: 'deleted',
      evicted: 'evicted',
      restartRequested: 'restart requested',
      observedRuntime: 'seen in the runtime only',
      statusVersion: 'status cache',
    },
    idle: 'idle',
    notQueued: 'not queued',
    nothing: 'nothing',
    empty: 'empty',
    since: (syncFunction: string, time: string) => `${syncFunction} since ${time}`,
    grace: (seconds: number) => `grace ${seconds} s`,
    pod: (version: string) => (version === '' ? 'pod' : `pod at ${version}`),
    runningPod: 'running pod',
    mirror: (uid: string) => `mirror ${uid}`,
    evict: 'evict',
    version: (version: number, sent: number | null) =>
      `v${version}, ${sent === null ? 'none sent' : `sent v${sent}`}`,
  },
  lifecycle: {
    title: 'Worker lifecycle',
    seen: 'seen',
    started: 'started',
    terminating: 'terminating',
    terminated: 'terminated',
    finished: 'finished',
  },
  grace: (spent: number, whole: number, killAt: string) =>
    `${spent} of ${whole} seconds of grace spent, SIGKILL at ${killAt}`,
  logs: {
    /** Names the request if it fails. */
    asked: 'logs',
    label: (container: string) => `Log of ${container}`,
    container: 'Container',
    run: 'Run',
    current: 'this run',
    previous: 'previous',
    since: 'Since',
    all: 'all lines',
    sinceSeconds: (minutes: number) => `last ${minutes === 60 ? 'hour' : `${minutes} min`}`,
    search: 'Search the log',
    clear: 'Clear the search',
    matches: (at: number, matches: number) => `${at} of ${matches}`,
    follow: 'Follow',
    times: 'Times',
    none: 'No lines',
    noneMeaning: 'The container has printed nothing in this time.',
    restarted: 'restarted: the next container',
    save: 'Download',
    saved: (count: number, file: string) => `Downloading ${counted(count, 'line')} as ${file}`,
    lines: (count: number) => counted(count, 'line'),
    dropped: (count: number) => `${counted(count, 'older line')} no longer kept`,
  },
  terminal: {
    container: 'Container',
    command: 'Command',
    start: 'Start session',
    startAgain: 'Start again',
    end: 'End session',
    idle: 'No session',
    idleMeaning:
      'Start session runs the command with a terminal in the container, like kubectl exec -it. Words are separated by spaces.',
    noCommand: 'Enter a command, such as sh.',
    starting: 'Connecting…',
    open: 'Connected. Leaving this tab or closing the panel ends the session.',
    paused: 'The clock is paused: programs wait until it runs.',
    exited: (code: number) => `The command exited with code ${code}.`,
    lost: 'The connection to Nodescope was lost, which ended the session.',
    unknownEnd: 'The session ended without an exit code.',
    label: (container: string) => `Terminal in ${container}`,
    keys: { leave: 'leave the terminal', tab: 'goes to the program' },
    dropped: (count: number) =>
      `[${counted(count, 'character')} not shown: the command prints too fast]`,
  },
  resources,
  probes: {
    /** Names the request if it fails. */
    asked: 'probes',
    label: (container: string) => `Probes of ${container}`,
    next: (seconds: number) => (seconds === 0 ? 'due' : `next in ${seconds} s`),
    running: 'running',
    done: 'done',
    skip: {
      noContainer: 'no container yet',
      notRunning: 'container not running',
      initialDelay: 'initial delay',
      notStarted: 'waits for startup',
      started: 'done',
      onHold: 'waits for the restart',
    },
    run: { success: 'success', failure: 'failure', error: 'error' },
    noRuns: 'no run yet',
    runs: (all: number, failed: number) =>
      `last ${counted(all, 'run')}: ${failed === 0 ? 'all succeeded' : `${failed} not successful`}`,
    inARow: (run: number, threshold: number) => `${run} of ${threshold} failures in a row.`,
    /** What the kubelet does at the threshold (pkg/kubelet/kuberuntime computePodActions, prober UpdatePodStatus). */
    atThreshold: {
      liveness:
        'At the threshold, the kubelet stops the container; restartPolicy decides whether it starts again.',
      startup:
        'At the threshold, the kubelet stops the container; restartPolicy decides whether it starts again.',
      readiness: 'At the threshold, the container is not ready.',
    },
    notReady: (failures: number, successes: number) =>
      `${counted(failures, 'failure')} in a row. The container is ready again after ${successes === 1 ? 'one success' : `${successes} successes in a row`}.`,
    stopped: (failures: number) =>
      `${counted(failures, 'failure')} in a row: the kubelet stops the container.`,
    notCounted: 'The probe could not be run; this result does not count.',
    everySeconds: (period: number, failures: number, successes: number) =>
      `period ${period} s, failureThreshold ${failures}, successThreshold ${successes}`,
  },
  containers: {
    none: 'No container has been reported yet',
    noneMeaning: 'They appear when the kubelet has read the pod.',
    kinds: {
      init: {
        title: 'Init containers',
        meaning: 'Run one after another to completion before the app containers start.',
      },
      sidecar: { title: 'Sidecars', meaning: 'Keep running; terminated after app containers.' },
      container: { title: common.containers, meaning: '' },
      ephemeral: {
        title: 'Ephemeral containers',
        meaning: 'Added to the running pod (kubectl debug); never restarted.',
      },
    },
    podIP: (ip: string) => `pod IP ${ip}`,
    exit,
    /** kubectl's word for the state, with its reason. */
    state: ({ state, reason, exitCode }: ContainerView) =>
      `${state}${reason === '' ? '' : `: ${reason}`}${exitCode === null ? '' : `, ${exit(exitCode)}`}`,
    since: 'since',
    ready: 'ready',
    notReady: 'not ready',
    notStarted: 'not started',
    started: (age: string) => `started ${age} ago`,
    ended: (age: string) => `ended ${age} ago`,
    ran: (duration: string) => `ran ${duration}`,
    restarts: 'restarts',
    image: 'image',
    id: 'id',
    noId: 'none before the first start',
    copyId: (container: string) => `Copy the id of ${container}`,
    backOff: (left: number) =>
      left === 0 ? 'back-off over; starts at the next sync' : `back-off, ${left} s left`,
    nextStart: (time: string) => `next start ${time}`,
  },
  history: {
    /** Names the request if it fails. */
    asked: 'causes',
    none: 'No history yet',
    noneMeaning: 'Every decision of the kubelet about this pod is listed here with its cause.',
    part: 'Part of the kubelet',
    allParts: (events: number) => `All parts, ${events}`,
    parts: {
      outside: 'API server and commands',
      config: 'Sources and sync loop',
      worker: 'Worker',
      mirror: 'Mirror and UIDs',
      status: 'Status',
      runtime: 'Runtime',
      eviction: 'Eviction and node',
      events: 'Events',
    },
    partCount: (part: string, events: number) => `${part}, ${events}`,
    keys: ' cause, effect',
    noneOfPart: (events: number) => `None of the last ${events} events belongs to this part.`,
    showAll: (events: number) => `Show all ${events}`,
    event: (seq: number) => `Event ${seq}`,
    causes: 'because of',
    cause: 'Show the cause ([)',
    unlistedCause: 'An event of another part, or an older one: load it',
    chain: (seq: number) => `What led to #${seq}`,
    closeChain: 'Close the chain',
    older: (events: number) => `Show ${events} older`,
    olderGone: 'Older causes are no longer kept.',
    effects: (seq: number, events: number) =>
      `#${seq} has led to ${countOf(events, 'event')} since.`,
    chainGone: 'No longer kept: the trace holds only the newest events of each pod.',
    chainLost: 'The connection to Nodescope is lost.',
  },
  events: {
    loading: 'Loading from the API server…',
    incomplete: (note: string) => `This list may be incomplete: ${note}`,
    none: 'No events',
    noneMeaning:
      'The API server has no events about this pod. It deletes events after an hour by default.',
    label: 'Events of the pod',
    first: (time: string) => `first ${time}`,
    under: { mirror: 'mirror UID', pod: 'static UID' },
    underTitle: {
      mirror: (uid: string) => `Recorded under the mirror’s UID ${uid}`,
      pod: (uid: string) => `Recorded under the static pod’s UID ${uid}, as the kubelet does`,
    },
  },
  yaml: {
    object: 'Object',
    label: (name: string) => `YAML of ${name}`,
    loading: 'Loading from the kubelet…',
    versions: {
      api: { label: 'API object', title: 'The object that the API server has now' },
      pod: { label: 'In the kubelet', title: 'The pod as the kubelet uses it' },
      mirror: { label: 'Mirror in the API', title: 'The mirror as the kubelet last saw it' },
      status: { label: 'Status', title: 'The last status that the kubelet computed' },
    },
    empty: {
      api: { title: 'No API object', reason: 'The API server no longer has this pod.' },
      pod: { title: 'Not in the kubelet', reason: 'It has left the kubelet’s config.' },
      mirror: {
        title: 'No mirror in the API',
        reason: 'The API server has no mirror of this pod.',
      },
      status: {
        title: 'No status yet',
        reason: 'The kubelet computes one when its worker first syncs the pod.',
      },
    },
    noKubelet: 'No kubelet has this pod yet; it exists only in the API server.',
    orphan: 'This is an orphaned mirror: the node has no static pod of its name.',
  },
}
