import type { NodeRef } from '../../shared/ipc/contract.ts'
import { cutText } from '../../shared/untrusted-text.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { Store } from '../store/create-store.ts'
import { isDrawerTab } from '../store/slices/detail-slice.ts'
import { currentKey } from '../store/rows/moved-pod.ts'
import { nodeForPod, isSameNode, shownPlace } from '../store/shown-node.ts'
import { isSection } from '../store/slices/handbook-slice.ts'
import type { State } from '../store/state.ts'
import { text } from '../text/text.ts'
import type { Address } from './address.ts'
import type { Route } from './route.ts'
import { formatRoute, parseRoute } from './route.ts'

const words = text.frame.links

function itemOf({ view, mirrorUid, manifestName, section }: State): string {
  if (view === 'mirrors') return mirrorUid ?? ''
  if (view === 'handbook') return section
  return view === 'manifests' ? (manifestName ?? '') : ''
}

/** The node of an address that names none. */
function impliedNode({ clusters }: State, pod: PodKey | null): NodeRef | null {
  return pod === null
    ? shownPlace({ clusters, shown: null })
    : nodeForPod({ clusters, shown: null }, pod)
}

function isThere({ clusters }: State, { cluster, node }: NodeRef): boolean {
  return clusters.some(
    ({ id, nodes, seen }) =>
      id === cluster &&
      ((seen !== null && node === '') ||
        [...nodes, ...(seen?.nodes ?? [])].some(({ name }) => name === node)),
  )
}

/** The route of the page as it is. */
function routeOf(state: State): Route {
  const pod = state.isDrawerOpen ? state.cursor : null
  // A link without a tab opens the first tab.
  const tab = pod === null || state.drawerTab === 'summary' ? '' : state.drawerTab
  const node = shownPlace(state)
  return {
    view: state.view,
    pod,
    tab,
    node: isSameNode(node, impliedNode(state, pod)) ? null : node,
    item: itemOf(state),
    handbookSection: state.isHandbookOpen ? state.section : null,
    filter: {
      text: state.tables.pods.filterText,
      selectors: state.tables.pods.selectors,
      namespace: state.namespace,
      segment: state.segment,
    },
  }
}

/** Whether a fragment is a link to the page that names no view, or a link to a pod that names no pod. The access token is not a link. */
function isBroken(hash: string, route: Route | undefined): boolean {
  if (!hash.startsWith('#/')) return false
  return route === undefined || (route.pod === null && /^#\/pods\/[^?]/.test(hash))
}

/** Opens and closes the handbook as the address says. */
function goToSection(state: State, { view, item, handbookSection }: Route): void {
  const section = view === 'handbook' ? item : handbookSection
  if (section === null) state.closeHandbook()
  else state.openSection(isSection(section) ? section : '')
  if (section !== null && !isSection(section))
    state.setLinkNotice(words.noSection(cutText(section)))
}

/** Goes to a route; if its node or pod does not exist, shows the view with a notice. */
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
    state.setFilterText('pods', route.filter.text)
    state.setSelectors('pods', route.filter.selectors)
    state.setNamespace(route.filter.namespace)
    state.setSegment(route.filter.segment)
  }
  if (route.node !== null && !isThere(state, route.node))
    setLinkNotice(words.noNode(route.node.node, route.node.cluster))
  // The link can be from before the pod was bound.
  const pod = route.pod === null ? null : currentKey(route.pod, store.rows.values())
  if (pod === null) closeDrawer()
  else if (store.rows.get(pod) === undefined) {
    closeDrawer()
    setLinkNotice(words.noPod(pod.slice(pod.lastIndexOf('/') + 1)))
  } else openDrawer(pod, isDrawerTab(route.tab) ? route.tab : 'summary')
}

/** Opens the pod that `--pod` names, `namespace/name`; the newest if two have the name. */
function openNamed(store: Store, name: string): void {
  const found = [...store.rows.values()]
    .filter((row) => `${row.namespace}/${row.name}` === name)
    .toSorted((left, right) => (right.createdAt ?? 0) - (left.createdAt ?? 0))
  const { show, showPod, setLinkNotice } = store.state.getState()
  show('pods')
  if (found[0] === undefined) setLinkNotice(words.noNamedPod(name))
  else showPod(found[0].key)
}

/**
 * Whether Back should return from `to` to `from`. A pod is a place of its own; the tabs of one pod, the filter of the
 * table, and the pods over which the open panel moves are not.
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
    from.handbookSection !== to.handbookSection ||
    !isSameNode(from.node, to.node)
  )
}

/**
 * Keeps the address and the page in sync after the first snapshot; until then the fragment may be the access
 * token. Returns a function that stops it.
 */
export function followAddress(store: Store, address: Address): () => void {
  const first = address.read()
  const asked = parseRoute(first)
  let isOpened = false
  let isGoing = false
  let awaitedPod = ''
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
      awaitedPod = state.program.openPod
      openNamed(store, awaitedPod)
    }
    if (isBroken(first, asked)) store.state.getState().setLinkNotice(words.noPage(cutText(first)))
    address.replace(formatRoute(routeOf(store.state.getState())))
  }
  const leaveState = store.state.subscribe((state) => {
    const isMoved = state.openings === openings
    openings = state.openings
    if (state.link.kind !== 'open' && !isOpened) return
    if (!isOpened) open(state)
    if (isGoing) return
    // `open` may have changed the state.
    const here = routeOf(store.state.getState())
    const hash = formatRoute(here)
    const shown = parseRoute(address.read())
    if (shown !== undefined && formatRoute(shown) === hash) return
    if (shown === undefined || isAnotherPlace(shown, here, { isMoved })) address.push(hash)
    else address.replace(hash)
  })
  // The named pod may appear later; if the user has gone elsewhere, it is not opened.
  const leaveRows = store.rows.subscribe(() => {
    const { linkNotice } = store.state.getState()
    if (awaitedPod === '' || linkNotice === '') return
    if ([...store.rows.values()].some((row) => `${row.namespace}/${row.name}` === awaitedPod)) {
      openNamed(store, awaitedPod)
      awaitedPod = ''
    }
  })
  const leaveAddress = address.subscribe(() => {
    const hash = address.read()
    const route = parseRoute(hash)
    if (!isOpened || (route === undefined && !isBroken(hash, route))) return
    if (route !== undefined) go(route)
    if (isBroken(hash, route)) store.state.getState().setLinkNotice(words.noPage(cutText(hash)))
    // If the pod is gone, the route differs from the address. Without this, the next change would add an entry, and Back would always return here.
    address.replace(formatRoute(routeOf(store.state.getState())))
  })
  return () => {
    leaveState()
    leaveRows()
    leaveAddress()
  }
}
