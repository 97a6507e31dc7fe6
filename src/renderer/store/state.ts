import type { ActError, NodeRef, ProgramView } from '../../shared/ipc/contract.ts'
import type { Act } from '../../shared/model/act.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { CausalChain } from '../../shared/model/pod-objects.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { TraceSeq } from '../../shared/model/trace-event.ts'
import type { ClustersSlice } from './slices/clusters-slice.ts'
import type { ClockSlice } from './slices/clock-state.ts'
import type { DetailSlice } from './slices/detail-slice.ts'
import type { HandbookSlice } from './slices/handbook-slice.ts'
import type { AnswerState } from './requests/keyed-request.ts'
import type { KubeletLogSlice } from './slices/kubelet-log-slice.ts'
import type { ManifestsSlice } from './slices/manifests-slice.ts'
import type { MirrorsSlice } from './slices/mirrors-slice.ts'
import type { ScenariosSlice } from './slices/scenarios-slice.ts'
import type { BehaviorSlice } from './slices/behavior-slice.ts'
import type { OwnerActSlice } from './slices/owner-act-slice.ts'
import type { ApplySlice } from './slices/apply-slice.ts'
import type { FaultsSlice } from './slices/faults-slice.ts'
import type { NodeEditSlice } from './slices/node-edit-slice.ts'
import type { NodeActsSlice } from './slices/node-acts-slice.ts'
import type { RowSegment } from './rows/row-filter.ts'
import type { SeenNodeSlice } from './slices/seen-node-slice.ts'
import type { TablesSlice } from './slices/tables-slice.ts'
import type { RowsActSlice } from './slices/rows-act-slice.ts'
import type { ShownSlice } from './slices/shown-state.ts'
import type { Theme } from './theme.ts'
import type { TrySlice } from './slices/try-slice.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import type { ViewName } from './view-name.ts'

/** The connection to main. `since`: ms on the system clock. */
export type Link =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly since: number }
  /** Main does not accept this page; only another address can help. */
  | { readonly kind: 'refused'; readonly message: string }

/** Whether the page has no connection: its data is old, and requests fail. */
export function isCutOff(link: Link): boolean {
  return link.kind === 'lost' || link.kind === 'refused'
}

export interface LinkSlice {
  readonly link: Link
  /** The names of failed requests, with the reason: their data may be old. */
  readonly notCurrent: Readonly<Record<string, string>>
  /** An empty `failure`: the data is current. */
  readonly setNotCurrent: (what: string, failure: string) => void
  readonly program: ProgramView | null
  readonly clusters: readonly ClusterView[]
}

export interface NavigationSlice {
  readonly view: ViewName
  /** The UID of a static or mirror pod that the Mirrors view is to show; null: its own choice. */
  readonly mirrorUid: string | null
  /** The file that the Manifests view is to open; null: its own choice. */
  readonly manifestName: string | null
  /** Why a link could not be followed, one sentence; else empty. */
  readonly linkNotice: string
  readonly openDialog: 'keys' | 'palette' | 'settings' | null
  /** Ids of the last choices in the palette, newest first. */
  readonly paletteChoices: readonly string[]
  readonly theme: Theme
  readonly show: (view: ViewName) => void
  /** Without `of`: on the shown node. */
  readonly showMirror: (uid: string | null, of?: NodeRef) => void
  readonly showManifest: (name: string | null, of?: NodeRef) => void
  readonly setLinkNotice: (sentence: string) => void
  readonly setOpenDialog: (dialog: NavigationSlice['openDialog']) => void
  readonly addPaletteChoice: (id: string) => void
  readonly clearPreferences: () => void
  readonly setTheme: (theme: Theme) => void
}

export interface TableSlice {
  /** Only rows of this namespace; empty: of all. */
  readonly namespace: string
  readonly segment: RowSegment
  /** The row that keys move and act on. */
  readonly cursor: PodKey | null
  readonly setNamespace: (namespace: string) => void
  readonly setSegment: (segment: RowSegment) => void
  readonly moveCursor: (key: PodKey | null) => void
}

export interface ActDialog {
  readonly act: Act
  readonly key: PodKey
  /** The container that is acted on; absent: the pod. */
  readonly container?: string
  /** The dialog's initial grace period in seconds; null: the pod's own. */
  readonly graceSeconds: number | null
}

export interface ActSlice {
  readonly dialog: ActDialog | null
  readonly isActing: boolean
  readonly actError: ActError | null
  readonly askAct: (dialog: ActDialog) => void
  readonly cancelAct: () => void
  readonly confirmAct: (graceSeconds: number | null) => Promise<void>
}

export interface Toast {
  readonly id: number
  readonly message: string
}

export interface ToastSlice {
  readonly toasts: readonly Toast[]
  readonly addToast: (message: string) => void
  readonly dismissToast: (id: number) => void
}

/** What the flow diagram marks. */
export type FlowFollow =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'cause'
      readonly cluster: string
      readonly seq: TraceSeq
      readonly at: number
      readonly text: string
    }
  | { readonly kind: 'pod'; readonly key: PodKey }

export interface FlowSlice {
  readonly follow: FlowFollow
  /** The followed cause with its effects, as far as main still has their events. */
  readonly chain: CausalChain | null
  readonly chainState: AnswerState
  /** How often the whole chain was replayed. */
  readonly replays: number
  /** While the clock is paused, a replay goes step by step and wraps around; 0, and the number of steps, show all. */
  readonly replayStep: number
  readonly setFollow: (follow: FlowFollow) => void
  /** Replays the chain: all of it while the clock runs, one step while it is paused. */
  readonly replay: (direction?: 'forward' | 'back') => void
}

/** Who owns the pods of the shown cluster, while it is shown. */
export interface WorkloadsSlice {
  readonly workloads: WorkloadsView | null
  readonly workloadsState: AnswerState
}

/** The inspection of the chosen node, while it is shown. */
export interface InspectSlice {
  readonly inspected: InspectView | null
  readonly inspectState: AnswerState
}

export type State = ClockSlice &
  InspectSlice &
  WorkloadsSlice &
  OwnerActSlice &
  ApplySlice &
  FaultsSlice &
  NodeEditSlice &
  ClustersSlice &
  SeenNodeSlice &
  FlowSlice &
  HandbookSlice &
  KubeletLogSlice &
  LinkSlice &
  ManifestsSlice &
  MirrorsSlice &
  ScenariosSlice &
  BehaviorSlice &
  NodeActsSlice &
  NavigationSlice &
  ShownSlice &
  TableSlice &
  TablesSlice &
  RowsActSlice &
  DetailSlice &
  ActSlice &
  ToastSlice &
  TrySlice

/** The pod of the drawer, and of the events in the handbook. */
function chosenKey(state: State): PodKey | null {
  const isReading = state.isHandbookOpen || state.view === 'handbook'
  return state.isDrawerOpen || isReading ? state.cursor : null
}

/** The pod whose detail main sends: the dialog's, else the selected one, else the one that the start page deleted. */
export function watchedKey(state: State): PodKey | null {
  const tried = state.graceTry?.isGone === false ? state.graceTry.key : null
  return (
    state.dialog?.key ??
    state.behaviorOf?.key ??
    chosenKey(state) ??
    (state.isDrawerOpen ? null : tried)
  )
}

export type SetState = (part: Partial<State>) => void
export type GetState = () => State
