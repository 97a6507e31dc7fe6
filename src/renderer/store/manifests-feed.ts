import type { StoreApi } from 'zustand/vanilla'
import type { Bridge, NodeRef } from '../../shared/ipc/contract.ts'
import type { ManifestText } from '../../shared/model/manifests.ts'
import type { LastGood } from './manifests-slice.ts'
import { manifestNode, openManifestName } from './manifests-slice.ts'
import type { State } from './state.ts'

/** So long after the last key a text is checked. */
const checkDelayMs = 200

/** What the folder's listing depends on; empty while nobody looks at it. Pure. */
function listingOf(state: State): string {
  const isShown = state.view === 'manifests' || state.view === 'mirrors'
  const node = manifestNode(state)
  if (!isShown || node === null || state.link.kind !== 'open') return ''
  const revisions = state.clusters[0]?.nodes[0]?.sources.map(
    ({ source, revision }) => `${source} ${revision}`,
  )
  return [node.cluster, node.node, state.manifestWrites, ...(revisions ?? [])].join('/')
}

/** The text that the kubelet's opinion is wanted of. Pure. */
function textToCheck(state: State): { readonly name: string; readonly text: string } | null {
  const name = openManifestName(state)
  if (name === null || state.view !== 'manifests') return null
  const onDisk = state.manifestText?.name === name ? state.manifestText.text : undefined
  const text = state.manifestDrafts[name]?.text ?? onDisk
  return text === undefined ? null : { name, text }
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
  #checked: { readonly name: string; readonly text: string } | null = null
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
    const node = manifestNode(state)
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
          const isExpected = name in manifestDrafts && result.error.kind === 'not-found'
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
    if (wanted.name === this.#checked?.name && wanted.text === this.#checked.text) return
    const isOther = wanted.name !== this.#checked?.name
    this.#checked = wanted
    clearTimeout(this.#timer)
    const node = manifestNode(state)
    if (node === null) return
    // A file that was just opened is not being typed into.
    if (isOther) this.#check(node, wanted)
    else this.#timer = setTimeout(() => this.#check(node, wanted), checkDelayMs)
  }

  #check(node: NodeRef, wanted: { readonly name: string; readonly text: string }): void {
    this.#bridge.request('manifests.check', { ...node, ...wanted }).then(
      (result) => {
        if (wanted !== this.#checked || !result.ok) return
        this.#state.setState({ manifestChecked: { ...wanted, check: result.value } })
      },
      () => {
        if (wanted === this.#checked) this.#checked = null
      },
    )
  }
}
