import type { StoreApi } from 'zustand/vanilla'
import type { ActError, Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { ManifestText, ManifestsView } from '../../../shared/model/manifests.ts'
import type { Result } from '../../../shared/result.ts'
import type { Answer, KeyedRequest } from '../requests/keyed-request.ts'
import type { CheckedManifest, LastGood } from '../slices/manifests-slice.ts'
import { openManifestName } from '../slices/manifests-slice.ts'
import { isSameNode, shownNode, shownRef } from '../shown-node.ts'
import type { State } from '../state.ts'
import type { FeedDeps } from './feed-deps.ts'
import { text } from '../../text/text.ts'

/** The delay between the last key and the check of the text. */
const checkDelayMs = 200

/** Changes whenever the folder's content may have changed. Pure. */
function revisionOf(state: State): string {
  const revisions = shownNode(state)?.sources.map(({ source, revision }) => `${source} ${revision}`)
  return [state.manifestWrites, ...(revisions ?? [])].join('/')
}

/** A text to check. */
interface Text extends NodeRef {
  readonly name: string
  readonly text: string
}

type File = Omit<Text, 'text'>

/** Pure. */
function textToCheck(state: State): Text | null {
  const name = openManifestName(state)
  const node = shownRef(state)
  if (name === null || node === null || state.view !== 'manifests') return null
  const onDisk = state.manifestText?.name === name ? state.manifestText.text : undefined
  const text = state.manifestDrafts[name]?.text ?? onDisk
  return text === undefined ? null : { ...node, name, text }
}

async function check(bridge: Bridge, text: Text): Promise<CheckedManifest | null> {
  const result = await bridge.request('manifests.check', text)
  return result.ok ? { name: text.name, text: text.text, check: result.value } : null
}

async function findLastGood(bridge: Bridge, text: Text): Promise<LastGood | null> {
  const checked = await check(bridge, text)
  const pod = checked?.check.pod ?? null
  if (pod === null) return null
  const key = `${text.cluster}/${text.node}/${pod.uid}`
  const detail = await bridge.request('pod.describe', { key })
  const graceSeconds = detail?.facts.specGraceSeconds ?? null
  return { name: text.name, key, podName: pod.name, namespace: pod.namespace, graceSeconds }
}

/** Keeps the list, the open file and its check up to date while a view shows them. */
export class ManifestsFeed {
  readonly #state: StoreApi<State>
  readonly #list: KeyedRequest<NodeRef, ManifestsView>
  readonly #file: KeyedRequest<File, Result<ManifestText, ActError>>
  readonly #lastGood: KeyedRequest<Text, LastGood>
  readonly #check: KeyedRequest<Text, CheckedManifest>
  #revision = ''
  #checked: Text | null = null

  constructor({ bridge, requests, state }: FeedDeps) {
    this.#state = state
    this.#list = requests.add(text.frame.requests.manifests, {
      ask: (node) => bridge.request('manifests.list', node),
      publish: (answer) => this.#takeList(answer),
    })
    this.#file = requests.add(text.frame.requests.manifest, {
      ask: (file) => bridge.request('manifests.read', file),
      publish: (answer) => this.#takeFile(answer),
    })
    this.#lastGood = requests.add(text.frame.requests.lastGood, {
      ask: (text) => findLastGood(bridge, text),
      publish: (answer) => {
        if (answer.state !== 'loading') this.#state.setState({ lastGood: answer.value })
      },
    })
    this.#check = requests.add(text.frame.requests.manifestCheck, {
      ask: (text) => check(bridge, text),
      publish: ({ value }) => {
        if (value !== null) this.#state.setState({ manifestChecked: value })
      },
    })
  }

  /** Returns a function that stops it. */
  start(): () => void {
    return this.#state.subscribe(() => this.#follow())
  }

  #follow(): void {
    const state = this.#state.getState()
    const node = state.view === 'manifests' || state.view === 'mirrors' ? shownRef(state) : null
    const name = state.view === 'manifests' ? openManifestName(state) : null
    const revision = revisionOf(state)
    const isRevised = revision !== this.#revision
    this.#revision = revision
    if (!this.#list.setKey(node) && isRevised) this.#list.refresh()
    const file = node === null || name === null ? null : { ...node, name }
    if (!this.#file.setKey(file) && isRevised) this.#file.refresh()
    this.#followText(textToCheck(state))
  }

  #takeList({ state, value }: Answer<ManifestsView>): void {
    if (state === 'live') this.#state.setState({ manifests: value, manifestsState: 'known' })
    if (state === 'gone') this.#state.setState({ manifests: null, manifestsState: 'absent' })
  }

  #takeFile({ state, value }: Answer<Result<ManifestText, ActError>>): void {
    const current = this.#state.getState()
    const name = openManifestName(current)
    if (state === 'loading' && current.manifestText?.name !== name)
      this.#state.setState({ manifestText: null, lastGood: null, manifestError: '' })
    if (state !== 'live' || value === null || name === null) return
    if (!value.ok) {
      // An unsaved text has no file.
      const isExpected =
        Object.hasOwn(current.manifestDrafts, name) && value.error.kind === 'not-found'
      const manifestError = isExpected ? '' : value.error.message
      this.#state.setState({ manifestText: null, manifestError })
      return
    }
    this.#state.setState({ manifestText: value.value })
    // The file on disk now has the typed text.
    if (current.manifestDrafts[name]?.text === value.value.text) current.discardManifest(name)
    this.#followGood(value.value)
  }

  #followGood({ name, goodText }: ManifestText): void {
    const node = shownRef(this.#state.getState())
    const text = node === null || goodText === null ? null : { ...node, name, text: goodText }
    if (!this.#lastGood.setKey(text)) this.#lastGood.refresh()
  }

  #followText(wanted: Text | null): void {
    const before = this.#checked
    this.#checked = wanted
    // The delay is for typing, not for opening another file.
    const isTyped = wanted?.name === before?.name && isSameNode(wanted, before)
    this.#check.setKey(wanted, isTyped ? checkDelayMs : 0)
  }
}
