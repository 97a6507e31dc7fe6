import type { NodeRef } from '../../shared/ipc/contract.ts'
import { cutText } from '../../shared/outside-text.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { Store } from '../store/create-store.ts'
import { isDrawerTab } from '../store/slices/detail-slice.ts'
import { movedKey } from '../store/rows/moved-pod.ts'
import { homeOfKey, isSameNode, shownRef } from '../store/shown-node.ts'
import { isSection } from '../store/slices/handbook-slice.ts'
import type { State } from '../store/state.ts'
import type { Address } from './address.ts'
import type { Route } from './route.ts'
import { formatRoute, parseRoute } from './route.ts'

function itemOf({ view, mirrorUid, manifestName, section }: State): string {
  if (view === 'mirrors') return mirrorUid ?? ''
  if (view === 'handbook') return section
  return view === 'manifests' ? (manifestName ?? '') : ''
}

/** The node that an address means without naming one. */
function impliedNode({ clusters }: State, pod: PodKey | null): NodeRef | null {
  return pod === null
    ? shownRef({ clusters, shown: null })
    : homeOfKey({ clusters, shown: null }, pod)
}

function isThere({ clusters }: State, { cluster, node }: NodeRef): boolean {
  return clusters.some(({ id, nodes }) => id === cluster && nodes.some(({ name }) => name === node))
}

/** Where the page is now. */
function routeOf(state: State): Route {
  const pod = state.isDrawerOpen ? state.cursor : null
  // The first tab is the one that a link without a tab opens.
  const tab = pod === null || state.drawerTab === 'summary' ? '' : state.drawerTab
  const node = shownRef(state)
  return {
    view: state.view,
    pod,
    tab,
    node: isSameNode(node, impliedNode(state, pod)) ? null : node,
    item: itemOf(state),
    beside: state.isHandbookOpen ? state.section : null,
    filter: { text: state.filterText, namespace: state.namespace, segment: state.segment },
  }
}

function goneSentence(key: PodKey): string {
  const uid = key.slice(key.lastIndexOf('/') + 1)
  return `The link leads to the pod with UID ${uid}, which does not exist here: it was deleted, or the link is from an earlier start.`
}

/** Whether a fragment means a place in the page and leads to none, or means a pod and names none. The token means none. */
function isDead(hash: string, route: Route | undefined): boolean {
  if (!hash.startsWith('#/')) return false
  return route === undefined || (route.pod === null && /^#\/pods\/[^?]/.test(hash))
}

function nowhereSentence(hash: string): string {
  return `The link ${cutText(hash)} is not a page of Nodescope.`
}

function awaySentence({ cluster, node }: NodeRef): string {
  return `The link leads to the node ${node} of ${cluster}, which does not exist here.`
}

function noSectionSentence(section: string): string {
  return `The link leads to the section ${cutText(section)}, which the handbook does not have.`
}

/** Opens and closes the handbook as the address says. */
function goToSection(state: State, { view, item, beside }: Route): void {
  const section = view === 'handbook' ? item : beside
  if (section === null) state.closeHandbook()
  else state.openSection(isSection(section) ? section : '')
  if (section !== null && !isSection(section)) state.setLinkNotice(noSectionSentence(section))
}

/** Goes to a place; a node or pod that is not here is said, and the view is shown without it. */
function goTo(store: Store, route: Route): void {
  const state = store.state.getState()
  const { show, showMirror, showManifest, showNode, openDrawer, closeDrawer, setLinkNotice } = state
  const node = route.node ?? impliedNode(state, route.pod)
  if (node !== null && isThere(state, node)) showNode(node)
  const item = route.item === '' ? null : route.item
  if (route.view === 'mirrors') showMirror(item)
  else if (route.view === 'manifests') showManifest(item)
  else show(route.view)
  goToSection(store.state.getState(), route)
  if (route.view === 'pods') {
    state.setFilterText(route.filter.text)
    state.setNamespace(route.filter.namespace)
    state.setSegment(route.filter.segment)
  }
  if (route.node !== null && !isThere(state, route.node)) setLinkNotice(awaySentence(route.node))
  // A link from before the pod was bound leads to where it is now.
  const pod = route.pod === null ? null : movedKey(route.pod, store.rows.values())
  if (pod === null) closeDrawer()
  else if (store.rows.get(pod) === undefined) {
    closeDrawer()
    setLinkNotice(goneSentence(pod))
  } else openDrawer(pod, isDrawerTab(route.tab) ? route.tab : 'summary')
}

/** The pod that was named at the start, `namespace/name`; the newest where two have the name. */
function openNamed(store: Store, name: string): void {
  const found = [...store.rows.values()]
    .filter((row) => `${row.namespace}/${row.name}` === name)
    .toSorted((one, two) => (two.createdAt ?? 0) - (one.createdAt ?? 0))
  const { show, showPod, setLinkNotice } = store.state.getState()
  show('pods')
  if (found[0] === undefined) setLinkNotice(`Pod ${name} (from --pod) does not exist yet.`)
  else showPod(found[0].key)
}

/**
 * Whether Back should lead from `to` to `from`: pods are places; the tabs of one pod, what narrows the table and the
 * pods that the open panel is moved over are not.
 */
function isAnotherPlace(
  from: Route,
  to: Route,
  { isMoved }: { readonly isMoved: boolean },
): boolean {
  return (
    from.view !== to.view ||
    from.item !== to.item ||
    (from.pod !== to.pod && !(isMoved && from.pod !== null && to.pod !== null)) ||
    from.beside !== to.beside ||
    !isSameNode(from.node, to.node)
  )
}

/**
 * Keeps the address and the page in step from the first picture on: until then the fragment may be the
 * token. Returns what ends it.
 */
export function followAddress(store: Store, address: Address): () => void {
  const first = address.read()
  const asked = parseRoute(first)
  let isOpened = false
  let isGoing = false
  let wanted = ''
  let { openings } = store.state.getState()
  const go = (route: Route): void => {
    isGoing = true
    goTo(store, route)
    isGoing = false
  }
  const open = (state: State): void => {
    isOpened = true
    if (asked !== undefined) go(asked)
    else if (state.program !== null && state.program.openPod !== '') {
      wanted = state.program.openPod
      openNamed(store, wanted)
    }
    if (isDead(first, asked)) store.state.getState().setLinkNotice(nowhereSentence(first))
    address.replace(formatRoute(routeOf(store.state.getState())))
  }
  const leaveState = store.state.subscribe((state) => {
    const isMoved = state.openings === openings
    openings = state.openings
    if (state.link.kind !== 'open' && !isOpened) return
    if (!isOpened) open(state)
    if (isGoing) return
    // Going to the address that was asked for has changed it since.
    const here = routeOf(store.state.getState())
    const hash = formatRoute(here)
    const shown = parseRoute(address.read())
    if (shown !== undefined && formatRoute(shown) === hash) return
    if (shown === undefined || isAnotherPlace(shown, here, { isMoved })) address.push(hash)
    else address.replace(hash)
  })
  // The pod that was named may only be on its way; once the person has gone elsewhere it is left alone.
  const leaveRows = store.rows.subscribe(() => {
    const { linkNotice } = store.state.getState()
    if (wanted === '' || linkNotice === '') return
    if ([...store.rows.values()].some((row) => `${row.namespace}/${row.name}` === wanted)) {
      openNamed(store, wanted)
      wanted = ''
    }
  })
  const leaveAddress = address.subscribe(() => {
    const hash = address.read()
    const route = parseRoute(hash)
    if (!isOpened || (route === undefined && !isDead(hash, route))) return
    if (route !== undefined) go(route)
    if (isDead(hash, route)) store.state.getState().setLinkNotice(nowhereSentence(hash))
    // Where it led elsewhere, a pod being gone: else the next change would be a new entry, and Back lead here for ever.
    address.replace(formatRoute(routeOf(store.state.getState())))
  })
  return () => {
    leaveState()
    leaveRows()
    leaveAddress()
  }
}
