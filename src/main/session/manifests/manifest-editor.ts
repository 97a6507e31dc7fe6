import { access, constants, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ActError } from '../../../shared/ipc/contract.ts'
import { maxManifestLength } from '../../../shared/ipc/limits.ts'
import type {
  ManifestCheck,
  ManifestFile,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../../../shared/model/manifests.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeHash } from '../../clock/node-hash.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { HoldableClock } from '../../kubelet/ports.ts'
import { parseInPlace } from '../../parsing/kubernetes-text.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { removeEffect, writeEffect } from '../../sources/manifest-effect.ts'
import {
  fileNameProblem,
  readEntry,
  removeEntry,
  replaceEntry,
} from '../../sources/manifest-entry.ts'
import type { ManifestBytes } from '../../sources/manifest-entry.ts'
import type { FolderFile } from '../../sources/manifest-files.ts'
import type { ManifestFolderSource } from '../../sources/manifest-folder.ts'
import { readStaticPodFrom } from '../../sources/static-pod-manifest.ts'
import type { ManifestReading } from '../../sources/static-pod-manifest.ts'
import { ManifestChanges } from './manifest-changes.ts'
import { notSimulatedOf } from '../../nodes/not-simulated-pods.ts'

/** The node that reads the folder (`SimulatedNode`), with the sources of its kubelet. */
interface ManifestNode {
  readonly nodeName: string
  readonly isRunning: boolean
  readonly sources: {
    readonly file: Pick<ManifestFolderSource, 'snapshot' | 'files' | 'readNow'>
    readonly url: { readonly view: () => ManifestsView['url'] } | undefined
  }
}

export interface ManifestEditorDeps {
  readonly cluster: string
  readonly node: ManifestNode
  /** Default: on the calling thread. */
  readonly parse?: ParseText | undefined
  readonly clock: Pick<HoldableClock, 'hold'> & { readonly catchUp?: () => number }
  readonly readOnly: boolean
  /** Why the kubelet has never started yet, one sentence; empty or absent: it has. */
  readonly waitsFor?: () => string
}

type Answer = Promise<Result<ManifestReceipt, ActError>>

const readOnlySentence = 'Nodescope was started with --read-only.'

function refused(message: string): Result<never, ActError> {
  return err({ kind: 'refused', message })
}

function failed(message: string): Result<never, ActError> {
  return err({ kind: 'failed', message })
}

function missing(name: string): Result<never, ActError> {
  return err({ kind: 'not-found', message: `There is no ${name} in the manifest folder.` })
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

/** Undefined if the bytes are not UTF-8. A byte order mark stays. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The manifest folder of a node, for a page; see the contract's `manifests.*`. Changes are made one at a time, with the
 * cluster's clock held, as while the source itself reads. The source reads every changed file before the answer, so the
 * kubelet has it even while its clock is paused.
 */
export class ManifestEditor {
  readonly #deps: ManifestEditorDeps
  readonly #changes = new ManifestChanges()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(deps: ManifestEditorDeps) {
    this.#deps = deps
  }

  readonly list = async (): Promise<ManifestsView> => {
    const { cluster, node } = this.#deps
    const { file, url } = node.sources
    const { path, isSingleFile } = file.snapshot()
    return {
      cluster,
      node: node.nodeName,
      folder: path,
      isSingleFile,
      readOnlyBecause: await this.#readOnlyBecause(),
      files: await Promise.all(file.files().map(manifestFileOf)),
      undo: this.#changes.newest,
      url: url?.view() ?? null,
    }
  }

  readonly read = async (name: string): Promise<Result<ManifestText, ActError>> => {
    const path = this.#pathOf(name)
    if (!path.ok) return path
    const entry = await readEntry(path.value, name)
    if (!entry.ok) return refused(entry.error)
    if (entry.value === undefined) return missing(name)
    const text = decoded(entry.value.bytes)
    if (text === undefined) return refused(`${name} is not UTF-8 text.`)
    if (text.length > maxManifestLength) return refused(`${name} is too large to edit here.`)
    const isGood = (await this.#reading(path.value, text)).kind === 'pod'
    const known = this.#source.snapshot().goodTexts.get(path.value) ?? null
    return ok({ name, text, goodText: isGood ? null : known })
  }

  readonly check = async (name: string, text: string): Promise<Result<ManifestCheck, ActError>> => {
    const path = this.#pathOf(name)
    return path.ok ? ok(await this.#checked(path.value, name, text)) : path
  }

  readonly write = (name: string, text: string, options: { readonly create: boolean }): Answer =>
    this.#change(name, (path, before) => {
      if (options.create && before !== undefined)
        return refused(`${name} exists already; choose another name.`)
      if (!options.create && before === undefined) return missing(name)
      return isSame(before?.bytes, Buffer.from(text))
        ? ok({ message: `${name} already has exactly this text; nothing was written.` })
        : this.#replace({ name, path, before, text, word: 'Wrote' })
    })

  readonly remove = (name: string): Answer =>
    this.#change(name, async (path, before) => {
      if (before === undefined) return missing(name)
      const effect = removeEffect(path, this.#source.snapshot())
      const removed = await removeEntry(path, name)
      if (!removed.ok) return failed(removed.error)
      this.#changes.push({ name, before, after: undefined })
      return this.#readChanged(name, `Removed ${name}. ${effect}`)
    })

  readonly undo = async (id: number): Answer => {
    const change = this.#changes.find(id)
    if (change === undefined)
      return err({ kind: 'not-found', message: 'This change was already undone.' })
    const { name, before, after } = change
    return this.#change(name, async (path, now) => {
      if (!isSame(now?.bytes, after) || this.#changes.find(id) === undefined) {
        // Otherwise it would block the changes before it.
        this.#changes.forget(id)
        return refused(`${name} has changed since, so the change is not undone.`)
      }
      const effect = await this.#effectOf(path, name, before)
      const done =
        before === undefined
          ? await removeEntry(path, name)
          : await replaceEntry(path, name, before)
      if (!done.ok) return failed(done.error)
      this.#changes.forget(id)
      const word = before === undefined ? 'Removed' : 'Restored'
      return this.#readChanged(name, `${word} ${name}. ${effect}`)
    })
  }

  readonly restore = (name: string): Answer =>
    this.#change(name, (path, before) => {
      const text = this.#source.snapshot().goodTexts.get(path) ?? null
      if (text === null)
        return refused(`No valid version of ${name} has been read since Nodescope started.`)
      return isSame(before?.bytes, Buffer.from(text))
        ? refused(`${name} already is the last valid version.`)
        : this.#replace({ name, path, before, text, word: 'Restored' })
    })

  get #source(): ManifestNode['sources']['file'] {
    return this.#deps.node.sources.file
  }

  /** Why no kubelet reads the folder now, one sentence; empty if one does. */
  #waiting(): string {
    const { node, waitsFor } = this.#deps
    if (node.isRunning) return ''
    return waitsFor?.() || `The kubelet of ${node.nodeName} is stopped and does not read it.`
  }

  async #replace(change: {
    readonly name: string
    readonly path: string
    readonly before: ManifestBytes | undefined
    readonly text: string
    readonly word: string
  }): Answer {
    const { name, path, before, text, word } = change
    const { effect } = await this.#checked(path, name, text)
    const after = Buffer.from(text)
    const written = await replaceEntry(path, name, { bytes: after, mode: before?.mode })
    if (!written.ok) return failed(written.error)
    this.#changes.push({ name, before, after })
    return this.#readChanged(name, `${word} ${name}. ${effect}`)
  }

  /** The source reads the file before the answer. */
  async #readChanged(name: string, message: string): Answer {
    await this.#source.readNow([name])
    return ok({ message })
  }

  /** Makes one change after the other, with the clock held. `before`: the file's content at that time. */
  async #change(
    name: string,
    change: (path: string, before: ManifestBytes | undefined) => Answer | Awaited<Answer>,
  ): Answer {
    if (this.#deps.readOnly) return err({ kind: 'read-only', message: readOnlySentence })
    const waiting = this.#waiting()
    if (waiting !== '') return refused(waiting)
    const path = this.#pathOf(name)
    if (!path.ok) return path
    this.#deps.clock.catchUp?.()
    const release = this.#deps.clock.hold()
    const changed = this.#queue.then(async () => {
      const before = await readEntry(path.value, name)
      return before.ok ? change(path.value, before.value) : refused(before.error)
    })
    const answer = changed.finally(release)
    this.#queue = answer.catch(() => undefined)
    return answer
  }

  #pathOf(name: string): Result<string, ActError> {
    const complaint = fileNameProblem(name)
    if (complaint !== undefined) return refused(complaint)
    const { path, folder, isSingleFile } = this.#source.snapshot()
    if (isSingleFile && basename(path) !== name)
      return refused(`The kubelet reads only the file ${basename(path)}.`)
    return ok(join(folder, name))
  }

  async #reading(path: string, text: string): Promise<ManifestReading> {
    const { node, parse = parseInPlace } = this.#deps
    const { nodeName } = node
    const read = { source: 'file', nodeName, location: path, hash: nodeHash } as const
    return readStaticPodFrom(await parse(text), read)
  }

  async #checked(path: string, name: string, text: string): Promise<ManifestCheck> {
    const reading = await this.#reading(path, text)
    const problems = reading.kind === 'rejected' ? [reading.problem] : reading.warnings
    return {
      ok: reading.kind === 'pod',
      problems: problems.map((problem) => ({ where: name, ...problem })),
      // A control plane does not act on static pods.
      notSimulated: reading.kind === 'pod' ? notSimulatedOf(reading.pod, false) : [],
      pod: reading.kind === 'pod' ? identityOf(reading.pod.metadata) : null,
      effect: writeEffect(path, reading, this.#source.snapshot()),
    }
  }

  async #effectOf(path: string, name: string, content: ManifestBytes | undefined): Promise<string> {
    return content === undefined
      ? removeEffect(path, this.#source.snapshot())
      : (await this.#checked(path, name, content.bytes.toString())).effect
  }

  async #readOnlyBecause(): Promise<string> {
    if (this.#deps.readOnly) return readOnlySentence
    const waiting = this.#waiting()
    if (waiting !== '') return waiting
    const { folder } = this.#source.snapshot()
    try {
      await access(folder, constants.W_OK)
      return ''
    } catch (error) {
      return `${folder} cannot be written: ${fileErrorText(error)}.`
    }
  }
}

function identityOf(metadata: {
  readonly namespace?: string | undefined
  readonly name: string
  readonly uid: string
}): NonNullable<ManifestCheck['pod']> {
  return { namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid }
}

async function manifestFileOf(file: FolderFile): Promise<ManifestFile> {
  const { name, state, problem, note, hasGoodVersion } = file
  const modifiedAt = await stat(file.path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0, // removed meanwhile: the source will report it
  )
  const pod = file.pod?.metadata
  return {
    name,
    state,
    namespace: pod?.namespace ?? '',
    podName: pod?.name ?? '',
    uid: pod?.uid ?? '',
    problem,
    note,
    modifiedAt,
    hasGoodVersion,
  }
}
