import type { StoreApi } from 'zustand/vanilla'
import type { Bridge, NodeRef } from '../../shared/ipc/contract.ts'
import type { ManifestText } from '../../shared/model/manifests.ts'
import type { LastGood } from './manifests-slice.ts'
import { openManifestName } from './manifests-slice.ts'
import { isSameNode, nodeId, shownNode, shownRef } from './shown-node.ts'
import type { State } from './state.ts'

/** So long after the last key a text is checked. */
const checkDelayMs = 200

/** What the folder's listing depends on; empty while nobody looks at it. Pure. */
function listingOf(state: State): string {
  const isShown = state.view === 'manifests' || state.view === 'mirrors'
  const node = shownRef(state)
  if (!isShown || node === null || state.link.kind !== 'open') return ''
  const revisions = shownNode(state)?.sources.map(({ source, revision }) => `${source} ${revision}`)
  return [nodeId(node), state.manifestWrites, ...(revisions ?? [])].join('/')
}

/** A text that a kubelet's opinion is wanted of. */
interface WantedCheck {
  readonly node: NodeRef
  readonly name: string
  readonly text: string
}

/** Pure. */
function textToCheck(state: State): WantedCheck | null {
  const name = openManifestName(state)
  const node = shownRef(state)
  if (name === null || node === null || state.view !== 'manifests') return null
  const onDisk = state.manifestText?.name === name ? state.manifestText.text : undefined
  const text = state.manifestDrafts[name]?.text ?? onDisk
  return text === undefined ? null : { node, name, text }
}

/**
 * Keeps list, open file and check as new as the folder, while somebody looks. An answer that another
 * question has overtaken is dropped.
 */
export class ManifestsFeed {
  readonly #bridge: Bridge
  readonly #state: StoreApi<State>
  #listed = ''
  #read = ''
  #checked: WantedCheck | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #unsubscribe: (() => void) | undefined

  constructor(deps: { readonly bridge: Bridge; readonly state: StoreApi<State> }) {
    this.#bridge = deps.bridge
    this.#state = deps.state
  }

  start(): void {
    this.#unsubscribe = this.#state.subscribe(() => this.#follow())
  }

  stop(): void {
    this.#unsubscribe?.()
    clearTimeout(this.#timer)
  }

  #follow(): void {
    const state = this.#state.getState()
    const node = shownRef(state)
    const listing = listingOf(state)
    if (listing !== this.#listed) {
      this.#listed = listing
      if (listing !== '' && node !== null) this.#list(node, listing)
    }
    const name = openManifestName(state)
    const reading = listing === '' || state.view !== 'manifests' ? '' : `${listing}/${name ?? ''}`
    if (reading !== this.#read) {
      this.#read = reading
      if (reading !== '' && node !== null && name !== null) this.#readFile(node, name, reading)
    }
    this.#scheduleCheck(state)
  }

  #list(node: NodeRef, listing: string): void {
    this.#bridge.request('manifests.list', node).then(
      (manifests) => {
        if (listing === this.#listed)
          this.#state.setState({
            manifests,
            manifestsState: manifests === null ? 'absent' : 'known',
          })
      },
      // The connection is lost; when it is open again the listing is another one.
      () => undefined,
    )
  }

  #readFile(node: NodeRef, name: string, reading: string): void {
    const { manifestText, manifestDrafts, discardManifest } = this.#state.getState()
    if (manifestText?.name !== name)
      this.#state.setState({ manifestText: null, lastGood: null, manifestError: '' })
    this.#bridge.request('manifests.read', { ...node, name }).then(
      (result) => {
        if (reading !== this.#read) return
        if (!result.ok) {
          // A text that is only on this page has no file to be read.
          const isExpected =
            Object.hasOwn(manifestDrafts, name) && result.error.kind === 'not-found'
          const manifestError = isExpected ? '' : result.error.message
          this.#state.setState({ manifestText: null, manifestError })
          return
        }
        this.#state.setState({ manifestText: result.value })
        // What was typed has come onto the disk another way.
        if (manifestDrafts[name]?.text === result.value.text) discardManifest(name)
        this.#findLastGood(node, result.value, reading)
      },
      () => undefined,
    )
  }

  #findLastGood(node: NodeRef, { name, goodText }: ManifestText, reading: string): void {
    const publish = (lastGood: LastGood | null): void => {
      if (reading === this.#read) this.#state.setState({ lastGood })
    }
    if (goodText === null) {
      publish(null)
      return
    }
    const find = async (): Promise<LastGood | null> => {
      const result = await this.#bridge.request('manifests.check', {
        ...node,
        name,
        text: goodText,
      })
      const pod = result.ok ? result.value.pod : null
      if (pod === null) return null
      const key = `${node.cluster}/${node.node}/${pod.uid}`
      const detail = await this.#bridge.request('pod.describe', { key })
      const graceSeconds = detail?.facts.specGraceSeconds ?? null
      return { name, key, podName: pod.name, namespace: pod.namespace, graceSeconds }
    }
    find().then(publish, () => undefined)
  }

  #scheduleCheck(state: State): void {
    const wanted = textToCheck(state)
    if (wanted === null) {
      this.#checked = null
      clearTimeout(this.#timer)
      return
    }
    const before = this.#checked
    const isOther = wanted.name !== before?.name || !isSameNode(wanted.node, before.node)
    if (!isOther && wanted.text === before.text) return
    this.#checked = wanted
    clearTimeout(this.#timer)
    // A file that was just opened is not being typed into.
    if (isOther) this.#check(wanted)
    else this.#timer = setTimeout(() => this.#check(wanted), checkDelayMs)
  }

  #check(wanted: WantedCheck): void {
    const { node, name, text } = wanted
    this.#bridge.request('manifests.check', { ...node, name, text }).then(
      (result) => {
        if (wanted !== this.#checked || !result.ok) return
        this.#state.setState({ manifestChecked: { name, text, check: result.value } })
      },
      () => {
        if (wanted === this.#checked) this.#checked = null
      },
    )
  }
}
