import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { ShownSlice } from './shown-state.ts'
import { changeFolder } from './manifests-slice.ts'
import type { RowScope, Shown } from '../shown-node.ts'
import {
  nodeForPod,
  isSameNode,
  nodeOfKey,
  shownCluster,
  shownPlace,
  shownScope,
} from '../shown-node.ts'
import { offeredView } from '../offered-views.ts'
import type { State } from '../state.ts'

/** Which rows the table of pods holds. Null before anything is known. */
export function podScope(state: Shown & Pick<ShownSlice, 'podScope'>): RowScope | null {
  const scope = shownScope(state)
  return state.podScope === 'node' || scope === null ? scope : { ...scope, node: null }
}

/** Whether the pod that is looked at is still among what is shown. */
function isCursorShown(state: State, to: NodeRef | null): boolean {
  const pod = state.cursor === null ? null : nodeOfKey(state.cursor)
  if (to?.node === '' && pod?.cluster === to.cluster) return true
  if (isSameNode(pod, to) || (pod?.node === '' && pod.cluster === to?.cluster)) return true
  return state.view === 'pods' && state.podScope === 'cluster' && pod?.cluster === to?.cluster
}

/** The state after another node is shown: what belonged to the old one is reset. Pure. */
function resetNodeState(state: State, from: NodeRef | null, to: NodeRef | null): Partial<State> {
  return {
    ...changeFolder(state, { from, to }),
    ...(isCursorShown(state, to) ? {} : { cursor: null, isDrawerOpen: false }),
    ...(from?.cluster === to?.cluster ? {} : { lastStep: '' }),
    mirrorUid: null,
    manifestName: null,
    linkNotice: '',
    follow: { kind: 'everything' },
    replayStep: 0,
    mirrorTry: null,
    graceTry: null,
  }
}

/** The state with another shown node, or with other clusters. Pure. */
export function changeShown(
  state: State,
  part: Partial<Pick<State, 'shown' | 'clusters'>>,
): Partial<State> {
  const from = shownPlace(state)
  const to = shownPlace({ ...state, ...part })
  // Before the first snapshot there is nothing to reset, and the address may have set more than the node.
  const isOther = from?.cluster !== to?.cluster
  // The flow is that of one node.
  const wanted = isOther && to?.node === '' && state.view === 'flow' ? 'nodes' : state.view
  const view = offeredView(wanted, shownCluster({ ...state, ...part }))
  if (from === null || isSameNode(from, to)) return { ...part, view }
  return { ...part, view, ...resetNodeState(state, from, to) }
}

/** The state after clusters changed; a closed cluster is no longer shown. Pure. */
export function changeClusters(state: State, clusters: State['clusters']): Partial<State> {
  const { shown } = state
  const isThere = clusters.some(({ id }) => id === shown?.cluster)
  return changeShown(state, { clusters, shown: isThere ? shown : null })
}

export function shownSlice(set: (part: Partial<State>) => void, get: () => State): ShownSlice {
  return {
    shown: null,
    podScope: 'node',
    isNodesOpen: false,
    showNode: (shown) => set(changeShown(get(), { shown })),
    showPod: (key, tab) =>
      set({
        ...changeShown(get(), { shown: nodeForPod(get(), key) }),
        cursor: key,
        isDrawerOpen: true,
        openings: get().openings + 1,
        ...(tab === undefined ? {} : { drawerTab: tab }),
      }),
    setPodScope: (scope) => {
      const state = { ...get(), podScope: scope }
      const isShown = isCursorShown(state, shownPlace(state))
      set({ podScope: scope, ...(isShown ? {} : { cursor: null, isDrawerOpen: false }) })
    },
    setNodesOpen: (isNodesOpen) => set({ isNodesOpen }),
  }
}
