import type { NodeRef } from '../../shared/ipc/contract.ts'
import type { Selectors } from '../../shared/model/row-selectors.ts'
import { noSelectors } from '../../shared/model/row-selectors.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { RowSegment } from '../store/rows/row-filter.ts'
import type { ViewName } from '../store/view-name.ts'
import { viewNames } from '../store/view-name.ts'

/** The filter of the pods table; empty texts and `all` show everything. */
export interface RouteFilter {
  readonly text: string
  readonly selectors: Selectors
  readonly namespace: string
  readonly segment: RowSegment
}

const noFilter: RouteFilter = {
  text: '',
  selectors: noSelectors,
  namespace: '',
  segment: 'all',
}

/** A place in the page that an address can name. */
export interface Route {
  readonly view: ViewName
  /** The pod whose panel is open; null when it is closed. */
  readonly pod: PodKey | null
  /** The tab of the panel; empty for the default. */
  readonly tab: string
  /** The shown node; null for the implied one: the pod's, else the first. */
  readonly node: NodeRef | null
  /** The filter of the pods table. */
  readonly filter: RouteFilter
  /** The selected item of the view: the UID of a mirror or static pod, a manifest's name, a section of the handbook; else empty. */
  readonly item: string
  /** The section in the handbook panel, empty for its contents; null while the panel is closed. */
  readonly handbookSection: string | null
}

/** A view with nothing selected. */
export function viewRoute(view: ViewName): Route {
  return { view, pod: null, tab: '', node: null, item: '', handbookSection: null, filter: noFilter }
}

/** A cluster's name may contain slashes, like the contexts of a kubeconfig; a node's name and a UID cannot. */
function podPath(key: PodKey): string {
  const parts = /^(.*)\/([^/]*)\/([^/]*)$/s.exec(key)
  return (parts?.slice(1) ?? [key]).map(encodeURIComponent).join('/')
}

function nodePath({ cluster, node }: NodeRef): string {
  return [cluster, node].map(encodeURIComponent).join('/')
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // invalid percent-encoding
  }
}

function podKeyOf(parts: readonly string[]): PodKey | null {
  if (parts.length !== 3) return null
  const [cluster, node, uid] = parts.map(decoded)
  // Only the node may be empty: the pod is not bound.
  return !cluster || node === undefined || !uid ? null : `${cluster}/${node}/${uid}`
}

function nodeOf(path: string): NodeRef | null {
  const [cluster, node, ...more] = path.split('/').map(decoded)
  if (cluster === undefined || node === undefined || more.length > 0) return null
  // An empty node: the whole cluster.
  return cluster === '' ? null : { cluster, node }
}

/** Stands for the contents in an address, which would otherwise end in `=`. */
const contents = 'contents'

/** `images/pulling`: in a path, page and heading are separate parts. */
function sectionPath(section: string): string {
  return section === '' ? contents : section.replace('#', '/')
}

function sectionOf(path: string): string {
  return path === contents ? '' : path.replace('/', '#')
}

function itemPath({ view, item }: Route): string {
  if (item === '') return ''
  return view === 'handbook' ? `/${sectionPath(item)}` : `/${encodeURIComponent(item)}`
}

function itemOf(view: ViewName, parts: readonly string[]): string {
  if (view === 'handbook') return sectionOf(parts.map((part) => decoded(part) ?? '').join('/'))
  return view === 'mirrors' || view === 'manifests' ? (decoded(parts[0] ?? '') ?? '') : ''
}

/** The fragment of an address: `#/pods/sandbox/scope-node-1/<uid>?tab=yaml`, `#/flow?node=sandbox/scope-node-2`. */
export function formatRoute(route: Route): string {
  const { view, pod, tab, node, handbookSection, filter } = route
  const query = new URLSearchParams()
  const isPath = view === 'pods' && pod !== null
  if (pod !== null && !isPath) query.set('pod', podPath(pod))
  if (pod !== null && tab !== '') query.set('tab', tab)
  if (node !== null) query.set('node', nodePath(node))
  if (view === 'pods') {
    if (filter.text !== '') query.set('filter', filter.text)
    if (filter.selectors.labels !== '') query.set('labels', filter.selectors.labels)
    if (filter.selectors.fields !== '') query.set('fields', filter.selectors.fields)
    if (filter.namespace !== '') query.set('namespace', filter.namespace)
    if (filter.segment !== 'all') query.set('show', filter.segment)
  }
  if (handbookSection !== null) query.set('handbook', sectionPath(handbookSection))
  const path = isPath ? `/${podPath(pod)}` : itemPath(route)
  const search = query.size === 0 ? '' : `?${query.toString()}`
  return `#/${view}${path}${search}`
}

function filterOf(query: URLSearchParams): RouteFilter {
  const show = query.get('show')
  return {
    text: query.get('filter') ?? '',
    selectors: { labels: query.get('labels') ?? '', fields: query.get('fields') ?? '' },
    namespace: query.get('namespace') ?? '',
    segment: show === 'static' || show === 'attention' ? show : 'all',
  }
}

/** The place that a fragment names; undefined if it is not an address of the page, for example the access token. */
export function parseRoute(hash: string): Route | undefined {
  if (!hash.startsWith('#/')) return undefined
  const [path = '', search = ''] = hash.slice(2).split('?', 2)
  const [first, ...rest] = path.split('/')
  const view = viewNames.find((name) => name === first)
  if (view === undefined) return undefined
  const query = new URLSearchParams(search)
  const tab = query.get('tab') ?? ''
  const node = nodeOf(query.get('node') ?? '')
  const reading = query.get('handbook')
  const handbookSection = reading === null || view === 'handbook' ? null : sectionOf(reading)
  if (view === 'pods')
    return {
      view,
      pod: podKeyOf(rest),
      tab,
      node,
      item: '',
      handbookSection,
      filter: filterOf(query),
    }
  const pod = podKeyOf((query.get('pod') ?? '').split('/'))
  return { ...viewRoute(view), pod, tab, node, item: itemOf(view, rest), handbookSection }
}
