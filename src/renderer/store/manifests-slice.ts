import type { ActError, Bridge, NodeRef } from '../../shared/ipc/contract.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type {
  ManifestCheck,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../../shared/model/manifests.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { Result } from '../../shared/result.ts'
import { err } from '../../shared/result.ts'

/** A text that is not saved. */
export interface ManifestDraft {
  /** What was on disk when the edit began; null: the file does not exist yet. */
  readonly base: string | null
  readonly text: string
}

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
  readonly manifestDrafts: Readonly<Record<string, ManifestDraft>>
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

interface Around extends ManifestsSlice {
  readonly clusters: readonly ClusterView[]
  readonly manifestName: string | null
  readonly showManifest: (name: string | null) => void
  readonly addToast: (message: string) => void
}

/** The node whose folder is shown. */
export function manifestNode({
  clusters: [cluster],
}: {
  readonly clusters: readonly ClusterView[]
}): NodeRef | null {
  const node = cluster?.nodes[0]
  return cluster === undefined || node === undefined
    ? null
    : { cluster: cluster.id, node: node.name }
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
    (files.some(({ name }) => name === manifestName) || manifestName in manifestDrafts)
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

const lostError: ActError = {
  kind: 'failed',
  message: 'The connection to Nodescope was lost before it answered. Look at the file again.',
}

function without(
  drafts: ManifestsSlice['manifestDrafts'],
  name: string,
): ManifestsSlice['manifestDrafts'] {
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
  const write = async (
    ask: (node: NodeRef) => Promise<Result<ManifestReceipt, ActError>>,
    becomeKnown: (node: NodeRef) => Promise<Partial<ManifestsSlice>>,
  ): Promise<void> => {
    const node = manifestNode(get())
    if (node === null || get().isWritingManifest) return
    set({ isWritingManifest: true, manifestError: '' })
    const result = await ask(node).catch(() => err(lostError))
    const known = result.ok ? await becomeKnown(node) : { manifestError: result.error.message }
    set({ isWritingManifest: false, manifestWrites: get().manifestWrites + 1, ...known })
    if (result.ok) get().addToast(result.value.message)
  }
  const forget = (name: string) => (): Promise<Partial<ManifestsSlice>> =>
    Promise.resolve({ manifestDrafts: without(get().manifestDrafts, name) })
  /** At once, since an editor without its file would be closed under the person who types in it. */
  const saved = async (
    node: NodeRef,
    name: string,
    { base, text }: ManifestDraft,
  ): Promise<Partial<ManifestsSlice>> => {
    const listed =
      base === null ? await bridge.request('manifests.list', node).catch(() => null) : null
    const { manifestDrafts, manifestText } = get()
    const typedSince = manifestDrafts[name]?.text ?? text
    return {
      ...(listed === null ? {} : { manifests: listed }),
      manifestText: {
        name,
        text,
        goodText: manifestText?.name === name ? manifestText.goodText : null,
      },
      manifestDrafts:
        typedSince === text
          ? without(manifestDrafts, name)
          : { ...manifestDrafts, [name]: { base: text, text: typedSince } },
    }
  }
  /** Whether the draft may be written: the file is as it was when the edit began. */
  const isStillBase = async (name: string, { base }: ManifestDraft): Promise<boolean> => {
    const node = manifestNode(get())
    if (node === null) return false
    if (base === null) return true
    const result = await bridge.request('manifests.read', { ...node, name })
    if (!result.ok) {
      const isGone = result.error.kind === 'not-found'
      if (isGone) setDraft(name, { base: null, text: get().manifestDrafts[name]?.text ?? '' })
      const more = isGone ? ' Saving now makes the file anew.' : ''
      set({ manifestError: `${result.error.message}${more}` })
      return false
    }
    set({ manifestText: result.value })
    return result.value.text === base
  }
  return {
    manifests: null,
    manifestsState: 'unknown',
    manifestText: null,
    manifestDrafts: {},
    manifestChecked: null,
    lastGood: null,
    manifestError: '',
    isWritingManifest: false,
    manifestWrites: 0,
    editManifest: (name, text) => {
      const { manifestDrafts, manifestText } = get()
      const onDisk = manifestText?.name === name ? manifestText.text : null
      const base = name in manifestDrafts ? (manifestDrafts[name]?.base ?? null) : onDisk
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
      if (draft === undefined || get().isWritingManifest) return
      const mayWrite = await isStillBase(name, draft).catch(() => {
        set({ manifestError: lostError.message })
        return false
      })
      if (!mayWrite) return
      const create = draft.base === null
      await write(
        (node) => bridge.request('manifests.write', { ...node, name, text: draft.text, create }),
        (node) => saved(node, name, draft),
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
