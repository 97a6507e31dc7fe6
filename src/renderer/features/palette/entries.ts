import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { Act } from '../../../shared/model/act.ts'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { speeds } from '../../store/slices/clock-slice.ts'
import type { ClockCommand } from '../../store/slices/clock-state.ts'
import type { NodeDialog } from '../../store/slices/node-acts-slice.ts'
import type { ViewName } from '../../store/view-name.ts'
import type { Theme } from '../../store/theme.ts'
import { nodeId } from '../../store/shown-node.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { nodeActs } from '../../words/node-acts.ts'

/** What choosing an entry does. Acts on pods only open their dialog. */
export type PaletteDeed =
  | { readonly kind: 'show'; readonly view: ViewName }
  | { readonly kind: 'pod'; readonly key: PodKey }
  | { readonly kind: 'ask'; readonly act: Act; readonly key: PodKey }
  | { readonly kind: 'clock'; readonly command: ClockCommand }
  | { readonly kind: 'theme'; readonly theme: Theme }
  | { readonly kind: 'copy'; readonly text: string; readonly said: string }
  | { readonly kind: 'manifest'; readonly name: string }
  | { readonly kind: 'node'; readonly node: NodeRef }
  | { readonly kind: 'nodeAct'; readonly dialog: NodeDialog }
  | { readonly kind: 'keys' }
  | { readonly kind: 'settings' }

export interface PaletteEntry {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** Said beside it: a key, a namespace, a uid. */
  readonly hint: string
  readonly deed: PaletteDeed
}

function entry(
  id: string,
  icon: IconName,
  title: string,
  deed: PaletteDeed,
  hint = '',
): PaletteEntry {
  return { id, icon, title, hint, deed }
}

function clockEntries({ clock }: ClusterView): readonly PaletteEntry[] {
  if (!clock.virtual) return []
  const deed = (command: ClockCommand): PaletteDeed => ({ kind: 'clock', command })
  return [
    clock.paused
      ? entry('clock.run', 'play', 'Run the clock', deed({ kind: 'run' }), 'P')
      : entry('clock.pause', 'pause', 'Pause the clock', deed({ kind: 'pause' }), 'P'),
    entry('clock.step', 'step', 'Step to the next event', deed({ kind: 'step' }), '.'),
    ...speeds
      .filter((speed) => speed !== clock.speed)
      .map((speed) =>
        entry(
          `clock.speed.${speed}`,
          'clock',
          `Clock speed ${speed}×`,
          deed({ kind: 'setSpeed', speed }),
        ),
      ),
  ]
}

/** The other nodes; `here` is the shown one, as `nodeId` writes it. Pure. */
export function nodeEntries(
  clusters: readonly ClusterView[],
  here: string,
): readonly PaletteEntry[] {
  return clusters.flatMap(({ id: cluster, label, nodes }) =>
    nodes
      .map(({ name: node, status }) => ({ node: { cluster, node }, status }))
      .filter(({ node }) => nodeId(node) !== here)
      .map(({ node, status }) =>
        entry(
          `node ${nodeId(node)}`,
          'node',
          `Show node ${node.node}`,
          { kind: 'node', node },
          clusters.length > 1 ? `${label}, ${status}` : status,
        ),
      ),
  )
}

/** What can be done to the shown node, where it may be. Each only opens its dialog. Pure. */
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
        `${title}…`,
        { kind: 'nodeAct', dialog },
        node.name,
      ),
    )
}

/** Everything that is no pod: views, the clock, themes, lines to copy, manifests. Pure. */
export function commandEntries(
  cluster: ClusterView | undefined,
  manifests: readonly string[],
): readonly PaletteEntry[] {
  const show = (view: ViewName): PaletteDeed => ({ kind: 'show', view })
  const theme = (chosen: Theme): PaletteDeed => ({ kind: 'theme', theme: chosen })
  const line = cluster?.exportLine ?? ''
  return [
    entry('view.flow', 'flow', 'Go to Flow', show('flow'), '1'),
    entry('view.pods', 'pods', 'Go to Pods', show('pods'), '2'),
    entry('view.mirrors', 'mirror', 'Go to Mirror pods', show('mirrors'), '3'),
    entry('view.manifests', 'folder', 'Go to Manifests', show('manifests'), '4'),
    entry('view.gotchas', 'labs', 'Go to Gotchas', show('gotchas'), '8'),
    entry('view.handbook', 'book', 'Go to Handbook', show('handbook'), '9'),
    entry('view.start', 'term', 'Go to kubectl access and things to try', show('start')),
    ...(cluster === undefined ? [] : clockEntries(cluster)),
    ...(line === ''
      ? []
      : [
          entry(
            'copy.export',
            'copy',
            'Copy the export line for kubectl',
            { kind: 'copy', text: line, said: 'Export line copied' },
            line,
          ),
        ]),
    ...manifests.map((name) =>
      entry(`manifest.${name}`, 'edit', `Open manifest ${name}`, { kind: 'manifest', name }),
    ),
    entry('theme.system', 'screen', 'Theme: system', theme('system')),
    entry('theme.dark', 'moon', 'Theme: dark', theme('dark')),
    entry('theme.light', 'sun', 'Theme: light', theme('light')),
    entry('theme.contrast', 'contrast', 'Theme: high contrast', theme('contrast')),
    entry('keys', 'help', 'Show all keys', { kind: 'keys' }, '?'),
    entry('settings', 'gear', 'Settings', { kind: 'settings' }),
  ]
}

interface Verb {
  readonly act: Act
  readonly word: string
  readonly icon: IconName
  readonly title: (name: string) => string
  readonly fits: (row: PodRow) => boolean
}

const isRegular = (row: PodRow): boolean => row.kind === 'regular'

/** The acts as words that begin a line; what an act would be refused for its dialog says. */
const verbs: readonly Verb[] = [
  {
    act: 'kill',
    word: 'kill',
    icon: 'kill',
    title: (name) => `Kill ${name}…`,
    fits: (row) => row.kind !== 'mirror',
  },
  {
    act: 'evictThroughApi',
    word: 'evict',
    icon: 'evict',
    title: (name) => `Evict ${name} through the API…`,
    fits: () => true,
  },
  {
    act: 'evictByKubelet',
    word: 'evict',
    icon: 'evict',
    title: (name) => `Evict ${name} by the kubelet…`,
    fits: (row) => row.kind !== 'mirror',
  },
  {
    act: 'delete',
    word: 'delete',
    icon: 'trash',
    title: (name) => `Delete ${name}…`,
    fits: isRegular,
  },
  {
    act: 'forceDelete',
    word: 'delete',
    icon: 'trash',
    title: (name) => `Delete ${name} by force…`,
    fits: isRegular,
  },
  {
    act: 'deleteMirror',
    word: 'delete',
    icon: 'trash',
    title: (name) => `Delete the mirror of ${name}…`,
    fits: (row) => row.kind === 'static' && row.mirrorUid !== null,
  },
]

/** The acts that a line begins with, and what is left to name the pod. */
export function actQuery(query: string): {
  readonly verbs: readonly Verb[]
  readonly rest: string
} {
  const [first = '', ...rest] = query.split(/\s+/)
  const meant = first.length < 3 ? [] : verbs.filter(({ word }) => word.startsWith(first))
  return { verbs: meant, rest: meant.length === 0 ? query : rest.join(' ') }
}

/** One act on one pod. */
export function actEntry(verb: Verb, row: PodRow): PaletteEntry {
  return entry(
    `${verb.act} ${row.key}`,
    verb.icon,
    verb.title(row.name),
    { kind: 'ask', act: verb.act, key: row.key },
    row.namespace,
  )
}

/** A pod; found by its mirror's uid it says so. */
export function podEntry(row: PodRow, query: string): PaletteEntry {
  const isByMirror = query.length >= 6 && row.mirrorUid?.startsWith(query) === true
  return entry(
    `pod ${row.key}`,
    row.kind === 'regular' ? 'pods' : 'mirror',
    row.name,
    { kind: 'pod', key: row.key },
    isByMirror
      ? `${row.namespace}, static pod ${row.uid}, of the mirror with this UID`
      : `${row.namespace}, ${row.status === '' ? row.worker : row.status}`,
  )
}
