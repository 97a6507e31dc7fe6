import type { ActError, Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type {
  ManifestCheck,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../../../shared/model/manifests.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Result } from '../../../shared/result.ts'
import { answerOf } from '../lost-answer.ts'
import type { Shown } from '../shown-node.ts'
import { isSameNode, nodeId, shownRef } from '../shown-node.ts'

/** A text that is not saved. */
export interface ManifestDraft {
  /** What was on disk when the edit began; null: the file does not exist yet. */
  readonly base: string | null
  readonly text: string
}

/** The texts of one node's folder that are not saved, by the name of their file. */
export type ManifestDrafts = Readonly<Record<string, ManifestDraft>>

/** What the kubelet would make of one text. */
export interface CheckedManifest {
  readonly name: string
  readonly text: string
  readonly check: ManifestCheck
}

/** The pod that the last good version of a broken manifest defines. */
export interface LastGood {
  readonly name: string
  readonly key: PodKey
  readonly podName: string
  readonly namespace: string
  /** `spec.terminationGracePeriodSeconds`; null when the pod is not here any more. */
  readonly graceSeconds: number | null
}

export interface ManifestsSlice {
  readonly manifests: ManifestsView | null
  /** `absent`: this node has no manifest folder. */
  readonly manifestsState: 'unknown' | 'known' | 'absent'
  /** The open file as it is on disk; null until it is read and for one that is not saved yet. */
  readonly manifestText: ManifestText | null
  /** Of the shown node. */
  readonly manifestDrafts: ManifestDrafts
  /** Of the other nodes, by `nodeId`: kept until their node is shown again. */
  readonly otherDrafts: Readonly<Record<string, ManifestDrafts>>
  readonly manifestChecked: CheckedManifest | null
  readonly lastGood: LastGood | null
  /** Why the last write was not done; else empty. */
  readonly manifestError: string
  readonly isWritingManifest: boolean
  /** Counts the writes of this page: what was read before one is old. */
  readonly manifestWrites: number
  readonly editManifest: (name: string, text: string) => void
  readonly addManifest: (name: string, text: string) => void
  readonly discardManifest: (name: string) => void
  /** The file has changed on disk since the edit began, and the draft is to replace that. */
  readonly keepManifestDraft: (name: string) => void
  readonly saveManifest: (name: string) => Promise<void>
  readonly removeManifest: (name: string) => Promise<void>
  readonly undoManifestChange: () => Promise<void>
  readonly restoreManifest: (name: string) => Promise<void>
}

interface Around extends ManifestsSlice, Shown {
  readonly manifestName: string | null
  readonly showManifest: (name: string | null) => void
  readonly addToast: (message: string) => void
}

type Folder = Pick<
  ManifestsSlice,
  'manifests' | 'manifestsState' | 'manifestText' | 'manifestChecked' | 'lastGood' | 'manifestError'
>

const unreadFolder: Folder = {
  manifests: null,
  manifestsState: 'unknown',
  manifestText: null,
  manifestChecked: null,
  lastGood: null,
  manifestError: '',
}

/** What was typed in folders of clusters that are gone goes with them. Pure. */
export function draftsWithout(
  drafts: ManifestsSlice['otherDrafts'],
  clusters: readonly string[],
): ManifestsSlice['otherDrafts'] {
  const isGone = (id: string): boolean => clusters.some((cluster) => id.startsWith(`${cluster}/`))
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => !isGone(id)))
}

/** From one node's folder to another's: what was read is put away, and what was typed is kept for it. Pure. */
export function changeFolder(
  { manifestDrafts, otherDrafts }: Pick<ManifestsSlice, 'manifestDrafts' | 'otherDrafts'>,
  { from, to }: { readonly from: NodeRef | null; readonly to: NodeRef | null },
): Partial<ManifestsSlice> {
  const kept = from === null ? otherDrafts : { ...otherDrafts, [nodeId(from)]: manifestDrafts }
  return {
    ...unreadFolder,
    manifestDrafts: (to === null ? undefined : kept[nodeId(to)]) ?? {},
    otherDrafts: kept,
  }
}

/** The file on the screen: the one asked for, else one that needs a person, else the first. Pure. */
export function openManifestName({
  manifestName,
  manifests,
  manifestDrafts,
}: Pick<Around, 'manifestName' | 'manifests' | 'manifestDrafts'>): string | null {
  const files = manifests?.files ?? []
  const isThere =
    manifestName !== null &&
    (files.some(({ name }) => name === manifestName) || Object.hasOwn(manifestDrafts, manifestName))
  if (isThere) return manifestName
  const [first] = files
  return files.find(({ state }) => state === 'rejected')?.name ?? first?.name ?? null
}

/** Whether somebody else has changed the file since the edit began. Pure. */
export function isManifestChangedOnDisk(
  draft: ManifestDraft | undefined,
  onDisk: ManifestText | null,
): boolean {
  return draft !== undefined && draft.base !== null && onDisk !== null && onDisk.text !== draft.base
}

const advice = 'Check the file.'

function without(drafts: ManifestDrafts, name: string): ManifestDrafts {
  return Object.fromEntries(Object.entries(drafts).filter(([key]) => key !== name))
}

export function manifestsSlice(
  set: (part: Partial<ManifestsSlice>) => void,
  get: () => Around,
  bridge: Bridge,
): ManifestsSlice {
  const setDraft = (name: string, draft: ManifestDraft | null): void => {
    const { manifestDrafts } = get()
    set({
      manifestError: '',
      manifestDrafts:
        draft === null ? without(manifestDrafts, name) : { ...manifestDrafts, [name]: draft },
    })
  }
  const isShown = (node: NodeRef): boolean => isSameNode(node, shownRef(get()))
  /** Another node may be shown by the time that an answer comes. */
  const draftsOf = (node: NodeRef): ManifestDrafts =>
    (isShown(node) ? get().manifestDrafts : get().otherDrafts[nodeId(node)]) ?? {}
  const withDrafts = (node: NodeRef, drafts: ManifestDrafts): Partial<ManifestsSlice> =>
    isShown(node)
      ? { manifestDrafts: drafts }
      : { otherDrafts: { ...get().otherDrafts, [nodeId(node)]: drafts } }
  const fail = (node: NodeRef, message: string): Partial<ManifestsSlice> => {
    if (isShown(node)) return { manifestError: message }
    get().addToast(`${node.node}: ${message}`)
    return {}
  }
  const write = async (
    ask: (node: NodeRef) => Promise<Result<ManifestReceipt, ActError>>,
    becomeKnown: (node: NodeRef) => Promise<Partial<ManifestsSlice>>,
    node = shownRef(get()),
  ): Promise<void> => {
    if (node === null || get().isWritingManifest) return
    set({ isWritingManifest: true, manifestError: '' })
    const result = await answerOf(ask(node), advice)
    const known = result.ok ? await becomeKnown(node) : fail(node, result.error.message)
    set({ isWritingManifest: false, manifestWrites: get().manifestWrites + 1, ...known })
    if (result.ok) get().addToast(result.value.message)
  }
  const forget =
    (name: string) =>
    (node: NodeRef): Promise<Partial<ManifestsSlice>> =>
      Promise.resolve(withDrafts(node, without(draftsOf(node), name)))
  /** At once, since an editor without its file would be closed under the person who types in it. */
  const saved = async (
    node: NodeRef,
    name: string,
    { base, text }: ManifestDraft,
  ): Promise<Partial<ManifestsSlice>> => {
    const listed =
      base === null ? await bridge.request('manifests.list', node).catch(() => null) : null
    const drafts = draftsOf(node)
    const typedSince = drafts[name]?.text ?? text
    const kept = withDrafts(
      node,
      typedSince === text
        ? without(drafts, name)
        : { ...drafts, [name]: { base: text, text: typedSince } },
    )
    if (!isShown(node)) return kept
    const { manifestText } = get()
    return {
      ...kept,
      ...(listed === null ? {} : { manifests: listed }),
      manifestText: {
        name,
        text,
        goodText: manifestText?.name === name ? manifestText.goodText : null,
      },
    }
  }
  /** Whether the draft may be written: the file is as it was when the edit began. */
  const isStillBase = async (
    node: NodeRef,
    name: string,
    { base }: ManifestDraft,
  ): Promise<boolean> => {
    if (base === null) return true
    const result = await answerOf(bridge.request('manifests.read', { ...node, name }), advice)
    if (!result.ok) {
      const isGone = result.error.kind === 'not-found'
      const drafts = draftsOf(node)
      const anew = { ...drafts, [name]: { base: null, text: drafts[name]?.text ?? '' } }
      const more = isGone ? ' Saving now creates the file again.' : ''
      set({
        ...(isGone ? withDrafts(node, anew) : {}),
        ...fail(node, `${result.error.message}${more}`),
      })
      return false
    }
    if (isShown(node)) set({ manifestText: result.value })
    return result.value.text === base
  }
  return {
    ...unreadFolder,
    manifestDrafts: {},
    otherDrafts: {},
    isWritingManifest: false,
    manifestWrites: 0,
    editManifest: (name, text) => {
      const { manifestDrafts, manifestText } = get()
      const onDisk = manifestText?.name === name ? manifestText.text : null
      const base = Object.hasOwn(manifestDrafts, name)
        ? (manifestDrafts[name]?.base ?? null)
        : onDisk
      setDraft(name, text === base ? null : { base, text })
    },
    addManifest: (name, text) => {
      setDraft(name, { base: null, text })
      get().showManifest(name)
    },
    discardManifest: (name) => setDraft(name, null),
    keepManifestDraft: (name) => {
      const { manifestDrafts, manifestText } = get()
      const draft = manifestDrafts[name]
      if (draft !== undefined && manifestText?.name === name)
        setDraft(name, { ...draft, base: manifestText.text })
    },
    saveManifest: async (name) => {
      const draft = get().manifestDrafts[name]
      const here = shownRef(get())
      if (draft === undefined || here === null || get().isWritingManifest) return
      if (!(await isStillBase(here, name, draft))) return
      const create = draft.base === null
      await write(
        (node) => bridge.request('manifests.write', { ...node, name, text: draft.text, create }),
        (node) => saved(node, name, draft),
        here,
      )
    },
    removeManifest: (name) =>
      write((node) => bridge.request('manifests.remove', { ...node, name }), forget(name)),
    undoManifestChange: async () => {
      const id = get().manifests?.undo?.id
      if (id !== undefined)
        await write(
          (node) => bridge.request('manifests.undo', { ...node, id }),
          () => Promise.resolve({}),
        )
    },
    restoreManifest: (name) =>
      write((node) => bridge.request('manifests.restore', { ...node, name }), forget(name)),
  }
}
