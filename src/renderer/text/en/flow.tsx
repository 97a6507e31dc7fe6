import type { ReactNode } from 'react'
import type { NodeView, SourceView } from '../../../shared/model/cluster-view.ts'
import type { FlowArrowView, FlowMove, FlowView, WholeFlow } from '../../../shared/model/flow.ts'
import type { Certainty } from '../../../shared/model/inspect/evidence.ts'
import { clockText, countText, lastingText, preciseClockText } from '../../words/time.ts'
import { counted, countOf } from './plural.ts'

function noun(one: string, several = `${one}s`): (count: number) => string {
  return (count) => (count === 1 ? one : several)
}

function timeText(at: number | null | undefined, never: string): string {
  return at === null || at === undefined ? never : `${preciseClockText(at)} UTC`
}

type Move = Pick<FlowMove, 'text' | 'podName'>

function moveText({ text, podName }: Move): string {
  return podName === '' ? text : `${text} ${podName}`
}

function ago(milliseconds: number): string {
  return `${lastingText(milliseconds)} ago`
}

export const flow = {
  title: 'Flow',
  subtitle: ({
    isKnown,
    frozen,
    isInferred,
    isLogged,
  }: {
    readonly isKnown: boolean
    readonly frozen: string
    readonly isInferred: boolean
    readonly isLogged: boolean
  }) => {
    if (frozen !== '') return frozen
    if (!isInferred) return isKnown ? 'The kubelet, part by part' : 'Loading'
    return `The kubelet, as far as its ${isLogged ? 'log tells' : 'objects and events tell'}. Of dotted arrows nothing is known`
  },
  chooseMeaning:
    'Choose a node here, or in the Nodes view and then press 1, to see what is known of its kubelet.',
  notKnown: 'not known',
  notKnownMeaning: (isLogged: boolean) =>
    `${isLogged ? 'The log of a kubelet does not tell' : 'Neither the API nor the endpoints of a kubelet tell'} what this part holds: only the kubelet itself knows.`,
  inferred: (certainty: Certainty, evidence: string) => `${certainty}, from: ${evidence}`,
  copy: 'Copy picture',
  copied: {
    copied: 'Picture copied',
    downloaded: 'This browser cannot copy pictures; downloaded as nodescope-flow.svg',
    refused: 'This browser cannot copy pictures',
  },
  picture:
    'The kubelet: sources, merge, sync loop, managers, pod workers, prober, images, runtime, and its connection to the API server',
  ago,
  frozen: {
    machineOff: 'Machine off: last state known to the kubelet',
    stopped: 'Kubelet stopped: last state known to the kubelet',
  },
  showPod: (name: string) => `Show ${name}`,
  showAllPods: (of: string, count: number) =>
    `Show all pods of ${of}: ${countText(count)} more than are drawn`,
  moreInTable: (count: number) => `and ${countText(count)} more, in the table`,
  removedBy: (call: ReactNode) => <>removed by {call}, recreated</>,
  /** What a pod's line says after its name. */
  notes: {
    noStatus: 'no status yet',
    mirrors: { missing: 'no mirror', stale: 'stale mirror', deleting: 'deleting mirror' },
    ready: ({
      readyContainers,
      totalContainers,
    }: Readonly<Record<'readyContainers' | 'totalContainers', number>>) =>
      `${readyContainers}/${totalContainers} ready`,
  },
  follow: {
    label: 'Follow',
    everything: { label: 'Everything', title: 'All moves' },
    effectsOf: (cause: string) => `Effects of: ${cause}`,
    aPod: 'A pod…',
    podTitle: 'Mark one pod in every part, with its last moves',
    another: 'Another…',
    back: { label: 'Back', title: 'One step back' },
    nextStep: { label: 'Next step', title: 'Show one more step' },
    replay: { label: 'Replay', title: 'Replay from the first step' },
  },
  chooser: {
    label: 'Find a pod to follow',
    placeholder: 'name, namespace or UID',
    list: 'Pods',
    none: 'No pod matches.',
  },
  legend: {
    causes: 'External causes',
    noCauses: [
      'None yet. Edit a manifest, or use kubectl:',
      'what follows from it is drawn here step by step.',
    ],
    causesNotKnown: (isLogged: boolean) => [
      `Not known: the ${isLogged ? 'log' : 'API'} does not say what`,
      'made a kubelet act. Follow a pod instead.',
    ],
    follow: (cause: string) => `Follow ${cause}`,
    followEffects: (cause: string) => `Follow its effects: ${cause}`,
    allMoves: (moves: number, step: number) => `All ${moves} moves of step ${step}`,
    noSteps: (isPod: boolean, chainState: string) => {
      if (isPod) return 'No recent moves. The pod is marked in its parts.'
      if (chainState === 'loading') return 'Loading effects'
      return chainState === 'gone' ? 'No longer in the trace.' : 'No effects yet.'
    },
    causeGone: 'what caused it has left the trace',
  },
  steps: {
    of: (title: string) => `Steps of ${title}`,
    none: 'No effects yet.',
    removedPod: 'a pod that PodManager no longer has',
    andMore: (first: string, more: number) => `${first}, and ${more} more`,
  },
  arrows: {
    list: 'Arrows',
    lastMove: 'Last move',
    name: (from: string, to: string) => (from === to ? `within ${from}` : `${from} to ${to}`),
    sentence: (
      name: string,
      meaning: string,
      { last, lastMinute, sight }: Pick<FlowArrowView, 'last' | 'lastMinute' | 'sight'>,
    ) => {
      if (sight === 'notKnown') return `${name}, ${meaning}: not known`
      if (last === null) return `${name}, ${meaning}: no moves yet`
      const { certainty, evidence } = last
      const from = certainty === null ? '' : ` (${flow.inferred(certainty, evidence)})`
      return `${name}, ${meaning}: ${countText(lastMinute)} in the last minute, last ${moveText(last)} at ${clockText(last.at)}${from}`
    },
    move: (name: string, last: FlowMove) => `${name}: ${moveText(last)}`,
  },
  /** The API server's band and the kubelet's frame. */
  server: {
    kubelet: 'kubelet',
    noCall: 'no call yet',
    lastCall: (call: string, age: string) => `last ${call}, ${age}`,
    perTenMinutes: 'in 10 min',
    perMinute: 'a minute',
    lasts: (seconds: number) => `lasts ${seconds} s`,
    last: (age: string) => (age === '' ? 'nothing yet' : `last ${age}`),
    cutOff: 'this node is cut off',
    unreachable: (since: number, now: number | null) =>
      `unreachable since ${clockText(since)}${now === null ? '' : `, ${lastingText(now - since)}`}`,
    pods: noun('pod on this node', 'pods on this node'),
    mirrors: noun('of them a mirror', 'of them mirrors'),
    sourcesReady: (ready: number, all: number) => {
      if (all === 0) return 'sources not known'
      if (ready < all) return `${ready} of ${all} sources ready`
      return all === 1 ? 'its source is ready' : `all ${all} sources ready`
    },
  },
  runtime: {
    theRuntime: 'the container runtime',
    counts: (sandboxes: number, running: number | null) =>
      `${counted(sandboxes, 'sandbox', 'sandboxes')}${running === null ? '' : `, ${countText(running)} running`}`,
    noSandboxes: 'No sandboxes. One appears here when a worker starts a pod.',
    more: (count: number) => [`and ${countText(count)}`, 'more'],
  },
  lanes: {
    perUid: (unknown: number) =>
      unknown === 0
        ? 'one worker per UID'
        : `of ${counted(unknown, 'pod')} the worker is not known`,
    stopping: 'stopping',
    seconds: (count: number) => `${count} s`,
    more: (count: number) => `and ${countText(count)} more`,
    tally: (count: number, status: string) =>
      `${count} ${status === '' ? 'without status' : status}`,
    noneWaiting: 'no worker is waiting',
    uidReused: 'UID reused',
    noUidReused: 'no UID reused',
    noPods: 'No pods yet',
    firstPod:
      'Add a manifest to the folder of the file source, or use kubectl run, and watch the pod move through the kubelet.',
  },
  /** In the frames of parts, and in the names of their buttons. */
  parts: {
    pod: noun('pod'),
    mirror: noun('mirror'),
    uidLink: (count: number) => (count > 99 ? 'links' : noun('UID link')(count)),
    orphan: noun('orphan'),
    pair: noun('pair in sync', 'pairs in sync'),
    noPair: noun('not a pair', 'not a pair'),
    cached: noun('cached', 'cached'),
    unsent: noun('unsent', 'unsent'),
    notUsed: 'not used',
    notReady: 'not ready yet',
    nothingSent: 'nothing sent yet',
    problems: (count: number) => countOf(count, 'problem'),
    location: ({ source, location }: SourceView) => {
      if (source === 'api') return 'watching pods'
      if (source === 'http') return location.replace(/^https?:\/\//, '')
      return `in ${location.split(/[\\/]/).findLast((part) => part !== '') ?? location}`
    },
    sourceSummary: ({ pods, ready, problems }: SourceView) =>
      `${counted(pods, 'pod')}${ready ? '' : ', not ready yet'}${problems.length === 0 ? '' : `, ${countOf(problems.length, 'problem')}`}`,
    mergedHead: 'merged, last minute',
    merged: (count: number) => `${countText(count)} merged in the last minute`,
    noNode: 'no node',
    notRegistered: 'not registered yet',
    noLease: 'no lease yet',
    lease: (age: number, isExpired: boolean) =>
      `renewed ${ago(age)}${isExpired ? ', expired' : ''}`,
    managerSummary: ({ pods, mirrors, orphans }: WholeFlow['podManager']) =>
      `${counted(pods, 'pod')}, ${counted(mirrors, 'mirror')}, ${counted(orphans, 'orphan')}`,
    noStatus: 'no status cached',
    lastStatus: (pod: string, version: number) => `last: ${pod} v${version}`,
    statusSummary: (cached: number, unsent: number) =>
      `${countText(cached)} cached, ${countText(unsent)} unsent`,
    serverSummary: ({ pods, mirrors }: WholeFlow['api']) =>
      `${counted(pods, 'pod')} on this node, ${countText(mirrors)} of them mirrors`,
    iterations: (count: number) => counted(count, 'iteration'),
    mirrorSummary: ({ paired, unpaired }: WholeFlow['pairs']) =>
      `${counted(paired, 'pair')} in sync, ${countText(unpaired)} not a pair`,
    workersSummary: (workers: number, terminating: number, unknown: number) =>
      `${counted(workers, 'worker')}, ${countText(terminating)} terminating${unknown === 0 ? '' : `, ${countText(unknown)} not known`}`,
    relistEvery: (seconds: number) => `relist every ${seconds} s`,
    relist: (seconds: number) => `relist ${seconds} s`,
    probersSummary: ({ workers, failing }: WholeFlow['prober']) =>
      `${counted(workers, 'probe')}, ${countText(failing)} failing`,
    probers: ({ workers, failing }: WholeFlow['prober']) => {
      if (failing > 0) return `${countText(failing)} of ${countText(workers)} fail`
      return workers === 0 ? 'no probes' : counted(workers, 'probe')
    },
    mounted: noun('mounted', 'mounted'),
    waiting: noun('waiting', 'waiting'),
    objects: ({ configMaps, secrets }: WholeFlow['volumes']) =>
      `${counted(configMaps, 'ConfigMap')}, ${counted(secrets, 'Secret')}`,
    volumesSummary: ({ mounted, waiting }: WholeFlow['volumes']) =>
      `${countText(mounted)} mounted, ${countText(waiting)} waiting`,
    pulls: (count: number) => `${counted(count, 'pull')} in progress`,
    imagesSummary: ({ present, unused }: WholeFlow['images']) =>
      `${counted(present, 'image')}, ${countText(unused)} unused`,
    runtimeSummary: (sandboxes: number, containers: number | null) =>
      `${counted(sandboxes, 'sandbox', 'sandboxes')}${containers === null ? '' : `, ${counted(containers, 'container')} running`}`,
    movesSummary: (count: number) => `${counted(count, 'move')} in the last minute`,
    movesAMinute: (count: number) => `${countText(count)} a minute`,
  },
  panel: {
    close: (title: string) => `Close ${title}`,
    closeTitle: 'Close (Esc)',
    step: (number: number) => `Step ${number}`,
    moves: (arrow: string, count: number) => `${arrow}: ${count} moves`,
  },
  list: {
    label: 'Parts of the kubelet',
    lastMove: (
      to: string,
      isBroken: boolean,
      move: Move & { readonly at: number | null; readonly lastMinute: number },
      age: string,
    ) => {
      const last =
        move.at === null
          ? ''
          : `${move.lastMinute} in the last minute, last ${moveText(move)} ${age}`
      return `to ${to}: ${isBroken ? 'blocked. ' : ''}${last}`
    },
  },
  /** In an open part; the functions return its facts by label. */
  details: {
    upstream: (name: ReactNode, file: ReactNode) => (
      <>
        {name} in {file}
      </>
    ),
    serverProblem: (away: { readonly since: number; readonly message: string } | undefined) =>
      `${away === undefined ? 'Disconnected in Nodescope.' : `Unreachable since ${clockText(away.since)}: ${away.message}.`} Pods run on; statuses, mirrors and the lease wait.`,
    server: (address: string, { pods, mirrors }: WholeFlow['api']) => ({
      address,
      'pods on this node': countText(pods),
      'of them mirrors': countText(mirrors),
    }),
    source: (view: SourceView | undefined) => ({
      location: view?.location ?? 'not used',
      state: view?.ready === true ? 'ready' : 'not ready yet',
    }),
    sourcePods: { heading: 'Pods', without: 'This source has sent no pods.' },
    syncLoop: (iterations: number) => ({ iterations: countText(iterations) }),
    lastInputs: { heading: 'Last inputs', without: 'None yet.' },
    podManager: ({ pods, mirrors, orphans }: WholeFlow['podManager']) => ({
      pods: countText(pods),
      mirrors: countText(mirrors),
      'orphaned mirrors': countText(orphans),
    }),
    uidLinks: {
      heading: 'UID links, mirror to static',
      without: 'No static pod has a mirror.',
    },
    uids: (mirror: string, uid: string) => `mirror ${mirror}\nstatic ${uid}`,
    orphans: { heading: 'Orphans', without: 'Every mirror has its static pod.' },
    managerPods: { heading: 'Pods', without: 'No pods.' },
    mirrorClient: (lastCall: FlowView['mirrorClient']['lastCall']) => ({
      'last call':
        lastCall === null ? 'none yet' : `${lastCall.text}, ${timeText(lastCall.at, '')}`,
    }),
    outOfSync: { heading: 'Out of sync', without: 'Every static pod has a current mirror.' },
    orphan: 'orphan',
    unsent: {
      heading: 'Unsent',
      without: 'The API server has every cached status.',
      andMore: (count: number, hasNames: boolean) =>
        `${countText(count)} ${hasNames ? 'more' : 'wait to be written'}`,
    },
    node: (node: NodeView | undefined) => ({
      node: node?.name ?? '',
      registered: node?.registered === true ? 'yes' : 'not yet',
      STATUS: node?.status ?? '',
      'lease renewed': timeText(node?.leaseRenewedAt, 'never'),
      'lease lasts': `${node?.leaseDurationSeconds ?? 0} s`,
    }),
    none: 'none',
    podWorkers: (removed: number | null) => ({
      'removed by SyncKnownPods':
        removed === null ? 'not known' : `${countText(removed)} since the start`,
    }),
    pleg: ({ relistPeriodMs, lastRelistAt }: WholeFlow['pleg']) => ({
      'relists every': `${relistPeriodMs / 1000} s`,
      'last relist': timeText(lastRelistAt, 'none yet'),
    }),
    andMore: (count: number) => `and ${countText(count)} more`,
    probers: {
      heading: 'Probes, failing ones first',
      without: 'No pod on this node has probes.',
      noResult: 'no result yet',
      probe: (type: string, container: string, seconds: number) =>
        `${type} of ${container}, every ${seconds} s`,
    },
    volumes: ({ mounted, waiting, configMaps, secrets }: WholeFlow['volumes']) => ({
      'volumes mounted': countText(mounted),
      'volumes waiting': countText(waiting),
      'ConfigMaps watched': countText(configMaps),
      'Secrets watched': countText(secrets),
    }),
    volumeLines: {
      heading: 'Volumes, waiting ones first',
      without: 'No pod on this node has a volume.',
      volume: (volume: string, plugin: string) => `${volume}, ${plugin.replace(/^.*\//, '')}`,
      mounted: 'mounted',
      waiting: 'waiting',
    },
    objectLines: {
      heading: 'Watched for pods',
      without: 'No pod refers to a ConfigMap or Secret.',
    },
    pulls: { heading: 'Pulls in progress', without: 'None.' },
    withoutImage: {
      heading: 'Pods without an image',
      without: 'No container waits for an image.',
    },
    images: ({ present, unused }: WholeFlow['images']) => ({
      'images on the node': countText(present),
      'not used by a container': countText(unused),
    }),
    imageLines: {
      heading: 'Images, the largest first',
      without: 'The kubelet has found no image yet.',
      size: (bytes: number, isUsed: boolean) =>
        `${countText(Math.round(bytes / 1e6))} MB${isUsed ? '' : ', unused'}`,
    },
    runtime: (running: number | null) => ({
      'containers running': running === null ? 'not known' : countText(running),
    }),
    sandboxes: {
      heading: 'Pod sandboxes and their containers',
      without: 'No pod sandboxes.',
    },
  },
}
