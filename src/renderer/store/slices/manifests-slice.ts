import type { ActError, Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type {
  ManifestCheck,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../../../shared/model/manifests.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Result } from '../../../shared/result.ts'
import { requestResult } from '../request-result.ts'
import { text as words } from '../../text/text.ts'
import type { Shown } from '../shown-node.ts'
import { isSameNode, nodeId, shownRef } from '../shown-node.ts'

/** An unsaved text. */
export interface ManifestDraft {
  /** The text on disk when the edit began; null: the file does not exist yet. */
  readonly base: string | null
  readonly text: string
}

/** The unsaved texts of one node's folder by file name. */
export type ManifestDrafts = Readonly<Record<string, ManifestDraft>>

/** The check of one text. */
export interface CheckedManifest {
  readonly name: string
  readonly text: string
  readonly check: ManifestCheck
}

/** The pod of the last valid version of an invalid manifest. */
export interface LastGood {
  readonly name: string
  readonly key: PodKey
  readonly podName: string
  readonly namespace: string
  /** `spec.terminationGracePeriodSeconds`; null if the pod no longer exists. */
  readonly graceSeconds: number | null
}

export interface ManifestsSlice {
  readonly manifests: ManifestsView | null
  /** `absent`: this node has no manifest folder. */
  readonly manifestsState: 'unknown' | 'known' | 'absent'
  /** The open file as it is on disk; null until it is read, and for an unsaved file. */
  readonly manifestText: ManifestText | null
  /** Of the shown node. */
  readonly manifestDrafts: ManifestDrafts
  /** Of the other nodes, by `nodeId`; used when their node is shown again. */
  readonly otherDrafts: Readonly<Record<string, ManifestDrafts>>
  readonly manifestChecked: CheckedManifest | null
  readonly lastGood: LastGood | null
  /** Why the last write failed; else empty. */
  readonly manifestError: string
  readonly isWritingManifest: boolean
  /** The number of writes of this page; data read before a write is old. */
  readonly manifestWrites: number
  readonly editManifest: (name: string, text: string) => void
  readonly addManifest: (name: string, text: string) => void
  readonly discardManifest: (name: string) => void
  /** The file has changed on disk since the edit began; the draft is to replace it. */
  readonly keepManifestDraft: (name: string) => void
  readonly saveManifest: (name: string) => Promise<void>
  readonly removeManifest: (name: string) => Promise<void>
  readonly undoManifestChange: () => Promise<void>
  readonly restoreManifest: (name: string) => Promise<void>
}

interface ManifestsState extends ManifestsSlice, Shown {
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

/** Removes the drafts of closed clusters. Pure. */
export function draftsWithout(
  drafts: ManifestsSlice['otherDrafts'],
  clusters: readonly string[],
): ManifestsSlice['otherDrafts'] {
  const isGone = (id: string): boolean => clusters.some((cluster) => id.startsWith(`${cluster}/`))
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => !isGone(id)))
}

/** Switches from one node's folder to another's: drops what was read and keeps the drafts. Pure. */
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

/** The open file: the requested one, else a rejected one, else the first. Pure. */
export function openManifestName({
  manifestName,
  manifests,
  manifestDrafts,
}: Pick<ManifestsState, 'manifestName' | 'manifests' | 'manifestDrafts'>): string | null {
  const files = manifests?.files ?? []
  const isThere =
    manifestName !== null &&
    (files.some(({ name }) => name === manifestName) || Object.hasOwn(manifestDrafts, manifestName))
  if (isThere) return manifestName
  const [first] = files
  return files.find(({ state }) => state === 'rejected')?.name ?? first?.name ?? null
}

/** Whether the file has changed on disk since the edit began. Pure. */
export function isManifestChangedOnDisk(
  draft: ManifestDraft | undefined,
  onDisk: ManifestText | null,
): boolean {
  return draft !== undefined && draft.base !== null && onDisk !== null && onDisk.text !== draft.base
}

function without(drafts: ManifestDrafts, name: string): ManifestDrafts {
  return Object.fromEntries(Object.entries(drafts).filter(([key]) => key !== name))
}

export function manifestsSlice(
  set: (part: Partial<ManifestsSlice>) => void,
  get: () => ManifestsState,
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
  /** Another node may be shown when the answer arrives. */
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
    const result = await requestResult(ask(node), words.frame.connection.checkFile)
    const known = result.ok ? await becomeKnown(node) : fail(node, result.error.message)
    set({ isWritingManifest: false, manifestWrites: get().manifestWrites + 1, ...known })
    if (result.ok) get().addToast(result.value.message)
  }
  const forget =
    (name: string) =>
    (node: NodeRef): Promise<Partial<ManifestsSlice>> =>
      Promise.resolve(withDrafts(node, without(draftsOf(node), name)))
  /** The state after a save, without waiting for the folder's next list: without its file, the editor would close while the user types. */
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
  /** Whether the file is the same as when the edit began, so the draft may be written. */
  const isStillBase = async (
    node: NodeRef,
    name: string,
    { base }: ManifestDraft,
  ): Promise<boolean> => {
    if (base === null) return true
    const result = await requestResult(
      bridge.request('manifests.read', { ...node, name }),
      words.frame.connection.checkFile,
    )
    if (!result.ok) {
      const isGone = result.error.kind === 'not-found'
      const drafts = draftsOf(node)
      const recreated = { ...drafts, [name]: { base: null, text: drafts[name]?.text ?? '' } }
      const more = isGone ? words.frame.connection.savingRecreates : ''
      set({
        ...(isGone ? withDrafts(node, recreated) : {}),
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
