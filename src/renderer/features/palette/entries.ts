import { anchors, pages } from '../../../shared/handbook/anchors.ts'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { Act, PodAct } from '../../../shared/model/act.ts'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import { seenNodeActs } from '../../../shared/model/seen/drain.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { BehaviorSubject } from '../../store/slices/behavior-slice.ts'
import { speeds } from '../../store/slices/clock-slice.ts'
import type { ClockCommand } from '../../store/slices/clock-state.ts'
import type { NodeDialog } from '../../store/slices/node-acts-slice.ts'
import type { ScenarioMenuItem } from '../../store/slices/scenarios-slice.ts'
import type { SeenNodeDialog } from '../../store/slices/seen-node-slice.ts'
import { canApply, isLive, isOffered } from '../../store/offered-views.ts'
import type { ViewName } from '../../store/view-name.ts'
import { viewNames } from '../../store/view-name.ts'
import type { Theme } from '../../store/theme.ts'
import { nodeId } from '../../store/shown-node.ts'
import { text } from '../../text/text.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { nodeActs } from '../../words/node-acts.ts'
import { views } from '../frame/views.ts'

/** What choosing an entry does. Acts on pods only open their dialog. */
export type PaletteAction =
  | { readonly kind: 'show'; readonly view: ViewName }
  | { readonly kind: 'pod'; readonly key: PodKey }
  | { readonly kind: 'ask'; readonly act: Act; readonly key: PodKey; readonly container?: string }
  | { readonly kind: 'behavior'; readonly of: BehaviorSubject }
  | { readonly kind: 'clock'; readonly command: ClockCommand }
  | { readonly kind: 'theme'; readonly theme: Theme }
  | { readonly kind: 'copy'; readonly text: string; readonly said: string }
  | { readonly kind: 'manifest'; readonly name: string }
  | { readonly kind: 'node'; readonly node: NodeRef }
  | { readonly kind: 'nodeAct'; readonly dialog: NodeDialog }
  | { readonly kind: 'section'; readonly section: string }
  | { readonly kind: 'openLog' }
  | { readonly kind: 'scenario'; readonly item: ScenarioMenuItem }
  | { readonly kind: 'switchCluster' | 'allowChanges' | 'joinCluster' }
  | {
      readonly kind:
        | 'endChanges'
        | 'closeCluster'
        | 'leaveCluster'
        | 'startRecording'
        | 'stopRecording'
        | 'openRecording'
        | 'apply'
        | 'faults'
      readonly cluster: string
    }
  | { readonly kind: 'seenNodeAct'; readonly dialog: SeenNodeDialog }
  | { readonly kind: 'dialog'; readonly dialog: 'keys' | 'settings' }

export interface PaletteEntry {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** Shown after the title: a key, a namespace, a UID. */
  readonly hint: string
  readonly action: PaletteAction
}

const words = text.palette

function entry(
  id: string,
  icon: IconName,
  title: string,
  action: PaletteAction,
  hint = '',
): PaletteEntry {
  return { id, icon, title, hint, action }
}

function clockEntries({ clock }: ClusterView): readonly PaletteEntry[] {
  if (!clock.virtual) return []
  const action = (command: ClockCommand): PaletteAction => ({ kind: 'clock', command })
  return [
    clock.paused
      ? entry('clock.run', 'play', words.runClock, action({ kind: 'run' }), 'P')
      : entry('clock.pause', 'pause', words.pauseClock, action({ kind: 'pause' }), 'P'),
    entry('clock.step', 'step', words.step, action({ kind: 'step' }), '.'),
    ...speeds
      .filter((speed) => speed !== clock.speed)
      .map((speed) => {
        const command = { kind: 'setSpeed', speed } as const
        return entry(`clock.speed.${speed}`, 'clock', words.speed(speed), action(command))
      }),
  ]
}

/** The nodes except the shown one, `here`, as `nodeId` writes it. Pure. */
export function nodeEntries(
  clusters: readonly ClusterView[],
  here: string,
): readonly PaletteEntry[] {
  return clusters.flatMap(({ id: cluster, label, nodes, seen }) =>
    [...nodes, ...(seen?.nodes ?? [])]
      .map(({ name: node, status }) => ({ node: { cluster, node }, status }))
      .filter(({ node }) => nodeId(node) !== here)
      .map(({ node, status }) =>
        entry(
          `node ${nodeId(node)}`,
          'node',
          words.showNode(node.node),
          { kind: 'node', node },
          clusters.length > 1 ? `${label}, ${status}` : status,
        ),
      ),
  )
}

/** The allowed acts on the shown node. Each only opens its dialog. Pure. */
export function nodeActEntries(
  cluster: ClusterView | undefined,
  node: NodeView | undefined,
  readOnly: boolean,
): readonly PaletteEntry[] {
  if (cluster === undefined || node === undefined) return []
  return nodeActs(cluster, node, readOnly)
    .filter(({ refusal }) => refusal === '')
    .map(({ dialog, icon, title }) =>
      entry(
        `act ${dialog.kind} ${dialog.act}`,
        icon,
        words.nodeAct(title),
        { kind: 'nodeAct', dialog },
        node.name,
      ),
    )
}

const themes: readonly (readonly [theme: Theme, icon: IconName])[] = [
  ['system', 'screen'],
  ['dark', 'moon'],
  ['light', 'sun'],
  ['contrast', 'contrast'],
]

/** Opening and switching clusters; of a cluster that is only looked at also what may change it. Pure. */
function clusterEntries(cluster: ClusterView | undefined): readonly PaletteEntry[] {
  const seenWords = text.clusters.palette
  const more = entry('clusters', 'plug', seenWords.switch, { kind: 'switchCluster' }, 'Ctrl O')
  if (cluster?.isPageJoined === true) {
    const title = text.clusters.nodes.leave.act(cluster.nodes[0]?.name ?? '')
    return [more, entry('leave', 'close', title, { kind: 'leaveCluster', cluster: cluster.id })]
  }
  if (cluster?.recording?.isPageOpened === true)
    return [
      more,
      entry('close', 'close', seenWords.close(cluster.label), {
        kind: 'closeCluster',
        cluster: cluster.id,
      }),
    ]
  if (cluster === undefined || cluster.seen === null || cluster.recording !== null) return [more]
  const { id, label, seen } = cluster
  return [
    more,
    seen.changes.kind === 'readOnly'
      ? entry('allow', 'unlock', seenWords.allow(label), { kind: 'allowChanges' }, 'Shift A')
      : entry('end', 'lock', seenWords.end(label), { kind: 'endChanges', cluster: id }),
    ...(seen.changes.kind === 'readOnly'
      ? []
      : [entry('join', 'node', text.clusters.nodes.join.title, { kind: 'joinCluster' }, label)]),
    entry('close', 'close', seenWords.close(label), { kind: 'closeCluster', cluster: id }),
    ...seen.nodes.flatMap(({ name: node, isUnschedulable }) =>
      seenNodeActs
        .filter((act) => act !== (isUnschedulable ? 'cordon' : 'uncordon'))
        .map((act) =>
          entry(
            `${act} ${node}`,
            act === 'drain' ? 'evict' : 'node',
            seenWords.act(text.clusters.seenActs.names[act], node),
            { kind: 'seenNodeAct', dialog: { act, node: { cluster: id, node } } },
            label,
          ),
        ),
    ),
  ]
}

/** Starting, stopping and opening the recording of the shown cluster. Pure. */
function recordingEntries(shown: ClusterView | undefined): readonly PaletteEntry[] {
  if (!isLive(shown)) return []
  const { id: cluster, label, recorder } = shown
  const { start, stop, open } = text.recording.recorder
  return [
    recorder?.isRunning === true
      ? entry('record.stop', 'stop', stop(label), { kind: 'stopRecording', cluster })
      : entry('record.start', 'record', start(label), { kind: 'startRecording', cluster }),
    ...(recorder === null || recorder.isRunning
      ? []
      : [entry('record.open', 'clock', open(label), { kind: 'openRecording', cluster })]),
  ]
}

/** Scenarios, and the state of the program's own sandbox. Pure. */
function scenarioEntries(cluster: ClusterView | undefined): readonly PaletteEntry[] {
  const scenarioWords = text.scenarios.palette
  const item = (name: ScenarioMenuItem): PaletteAction => ({ kind: 'scenario', item: name })
  return [
    entry('scenario.open', 'labs', scenarioWords.open, item('openScenario')),
    ...(cluster?.kind === 'sandbox'
      ? [
          entry('scenario.save', 'copy', scenarioWords.save, item('saveScenario')),
          entry('state.export', 'copy', scenarioWords.export, item('exportState')),
          entry('state.import', 'folder', scenarioWords.import, item('importState')),
          entry('state.reset', 'restart', scenarioWords.reset, item('resetState')),
        ]
      : []),
  ]
}

/** Everything except pods: views, the clock, themes, lines to copy, manifests. Pure. */
export function commandEntries(
  cluster: ClusterView | undefined,
  manifests: readonly string[],
): readonly PaletteEntry[] {
  const line = cluster?.exportLine ?? ''
  const copied = { kind: 'copy', text: line, said: words.exportCopied } as const
  return [
    ...viewNames
      .filter((view) => isOffered(view, cluster))
      .map((view) => {
        const [icon, key] = views[view]
        const name = view === 'start' ? words.start : text.common.views[view]
        return entry(`view.${view}`, icon, words.goTo(name), { kind: 'show', view }, key)
      }),
    ...(canApply(cluster)
      ? [entry('apply', 'edit', text.apply.open, { kind: 'apply', cluster: cluster.id }, 'Shift Y')]
      : []),
    ...(cluster?.kind === 'sandbox'
      ? [entry('faults', 'unlink', text.faults.open, { kind: 'faults', cluster: cluster.id })]
      : []),
    ...clusterEntries(cluster),
    ...recordingEntries(cluster),
    ...(cluster === undefined ? [] : clockEntries(cluster)),
    ...(line === '' ? [] : [entry('copy.export', 'copy', words.copyExport, copied, line)]),
    ...manifests.map((name) =>
      entry(`manifest.${name}`, 'edit', words.openManifest(name), { kind: 'manifest', name }),
    ),
    ...themes.map(([theme, icon]) => {
      const title = words.theme(text.common.themes[theme])
      return entry(`theme.${theme}`, icon, title, { kind: 'theme', theme })
    }),
    ...scenarioEntries(cluster),
    entry('log.open', 'timeline', text.log.open, { kind: 'openLog' }),
    entry('keys', 'help', words.allKeys, { kind: 'dialog', dialog: 'keys' }, '?'),
    entry('settings', 'gear', text.common.settings, { kind: 'dialog', dialog: 'settings' }),
  ]
}

/** The acts on the containers of the pod in the drawer; `detail` null: none is open. Pure. */
export function containerEntries(detail: PodDetail | null): readonly PaletteEntry[] {
  if (detail === null) return []
  const { key, name: pod, namespace } = detail.row
  const { containers } = detail.facts
  const running = containers.filter(({ isRunning }) => isRunning)
  const simulated = detail.behavior === null ? [] : containers
  return [
    ...running.map(({ name: container }) =>
      entry(
        `restartContainer ${key} ${container}`,
        'restart',
        text.containerActs.restartOf(container, pod),
        { kind: 'ask', act: 'restartContainer', key, container },
        namespace,
      ),
    ),
    ...simulated.map(({ name: container }) =>
      entry(
        `behavior ${key} ${container}`,
        'labs',
        text.containerActs.behaviorOf(container, pod),
        { kind: 'behavior', of: { key, container } },
        namespace,
      ),
    ),
  ]
}

/** The pages and sections of the handbook. */
export const sectionEntries: readonly PaletteEntry[] = [
  ...Object.entries(pages).map(([section, title]) => ({ section, title, page: '' })),
  ...Object.entries(anchors).map(([section, title]) => {
    const page = Object.entries(pages).find(([name]) => section.startsWith(`${name}#`))
    return { section, title, page: page?.[1] ?? '' }
  }),
].map(({ section, title, page }) =>
  entry(`section ${section}`, 'book', words.section(title), { kind: 'section', section }, page),
)

interface Verb {
  readonly act: PodAct
  readonly word: string
  readonly icon: IconName
  readonly fits: (row: PodRow) => boolean
}

const isAny = (): boolean => true
const isOwn = (row: PodRow): boolean => row.kind !== 'mirror'
const isRegular = (row: PodRow): boolean => row.kind === 'regular'
const hasMirror = (row: PodRow): boolean => row.kind === 'static' && row.mirrorUid !== null

/** The acts, by the word that begins a line. The act's dialog says whether it is refused. */
const verbs: readonly Verb[] = [
  { act: 'kill', word: words.verbs.kill, icon: 'kill', fits: isOwn },
  { act: 'evictThroughApi', word: words.verbs.evict, icon: 'evict', fits: isAny },
  { act: 'evictByKubelet', word: words.verbs.evict, icon: 'evict', fits: isOwn },
  { act: 'delete', word: words.verbs.delete, icon: 'trash', fits: isRegular },
  { act: 'forceDelete', word: words.verbs.delete, icon: 'trash', fits: isRegular },
  { act: 'deleteMirror', word: words.verbs.delete, icon: 'trash', fits: hasMirror },
]

/** The acts that a line begins with, and the rest, which names the pod. */
export function actQuery(query: string): {
  readonly verbs: readonly Verb[]
  readonly rest: string
} {
  const [first = '', ...rest] = query.split(/\s+/)
  const matched = first.length < 3 ? [] : verbs.filter(({ word }) => word.startsWith(first))
  return { verbs: matched, rest: matched.length === 0 ? query : rest.join(' ') }
}

/** One act on one pod. */
export function actEntry({ act, icon }: Verb, { key, name, namespace }: PodRow): PaletteEntry {
  return entry(`${act} ${key}`, icon, words.acts[act](name), { kind: 'ask', act, key }, namespace)
}

/** A pod; if its mirror's UID was searched, the hint says so. */
export function podEntry(row: PodRow, query: string): PaletteEntry {
  const { key, kind, name, namespace, status, uid } = row
  const isByMirror = query.length >= 6 && row.mirrorUid?.startsWith(query) === true
  const hint = isByMirror
    ? words.byMirror(namespace, uid)
    : `${namespace}, ${status === '' ? row.worker : status}`
  return entry(
    `pod ${key}`,
    kind === 'regular' ? 'pods' : 'mirror',
    name,
    { kind: 'pod', key },
    hint,
  )
}
