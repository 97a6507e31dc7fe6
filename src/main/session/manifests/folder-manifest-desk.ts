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
import type { ManifestDesk } from './manifest-desk.ts'
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

export interface FolderManifestDeskDeps {
  readonly cluster: string
  readonly node: ManifestNode
  /** Default: on the thread that asks. */
  readonly parse?: ParseText | undefined
  readonly clock: Pick<HoldableClock, 'hold'> & { readonly catchUp?: () => number }
  readonly readOnly: boolean
  /** Why a node whose kubelet does not run has not started one yet, a sentence; empty: it had one. Default: it had. */
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

/** Undefined where the bytes are no UTF-8. A byte order mark stays. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The manifest folder of a node, for a page. What is asked for is done one by one; while it is done the
 * cluster's time stands, as while the source itself reads. The source is told of every change, so that
 * the kubelet has it when the answer goes out, also while its clock is paused.
 */
export class FolderManifestDesk implements ManifestDesk {
  readonly #deps: FolderManifestDeskDeps
  readonly #changes = new ManifestChanges()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(deps: FolderManifestDeskDeps) {
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

  readonly write: ManifestDesk['write'] = (name, text, { create }) =>
    this.#alone(name, async (path) => {
      const before = await readEntry(path, name)
      if (!before.ok) return refused(before.error)
      if (create && before.value !== undefined)
        return refused(`${name} exists already; choose another name.`)
      if (!create && before.value === undefined) return missing(name)
      const after = Buffer.from(text)
      if (isSame(before.value?.bytes, after))
        return ok({ message: `${name} already has exactly this text; nothing was written.` })
      const { effect } = await this.#checked(path, name, text)
      return this.#replace({ name, path, before: before.value, after, word: 'Wrote', effect })
    })

  readonly remove = (name: string): Answer =>
    this.#alone(name, async (path) => {
      const before = await readEntry(path, name)
      if (!before.ok) return refused(before.error)
      if (before.value === undefined) return missing(name)
      const effect = removeEffect(path, this.#source.snapshot())
      const removed = await removeEntry(path, name)
      if (!removed.ok) return failed(removed.error)
      this.#changes.push({ name, before: before.value, after: undefined })
      return this.#told(name, `Removed ${name}. ${effect}`)
    })

  readonly undo = (id: number): Answer => {
    const change = this.#changes.find(id)
    if (change === undefined)
      return Promise.resolve(err({ kind: 'not-found', message: 'This change was already undone.' }))
    const { name, before, after } = change
    return this.#alone(name, async (path) => {
      const now = await readEntry(path, name)
      if (!now.ok) return refused(now.error)
      if (!isSame(now.value?.bytes, after) || this.#changes.find(id) === undefined) {
        // Else it would stand before all that can be taken back.
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
      return this.#told(name, `${word} ${name}. ${effect}`)
    })
  }

  readonly restore = (name: string): Answer =>
    this.#alone(name, async (path) => {
      const good = this.#source.snapshot().goodTexts.get(path) ?? null
      if (good === null)
        return refused(`No valid version of ${name} has been read since Nodescope started.`)
      const before = await readEntry(path, name)
      if (!before.ok) return refused(before.error)
      const after = Buffer.from(good)
      if (isSame(before.value?.bytes, after))
        return refused(`${name} already is the last valid version.`)
      const { effect } = await this.#checked(path, name, good)
      return this.#replace({ name, path, before: before.value, after, word: 'Restored', effect })
    })

  get #source(): ManifestNode['sources']['file'] {
    return this.#deps.node.sources.file
  }

  /** Why the folder is not read now, a sentence; empty where it is. */
  #waiting(): string {
    const { node, waitsFor } = this.#deps
    if (node.isRunning) return ''
    return waitsFor?.() || `The kubelet of ${node.nodeName} is stopped and does not read it.`
  }

  async #replace(change: {
    readonly name: string
    readonly path: string
    readonly before: ManifestBytes | undefined
    readonly after: Buffer
    readonly word: string
    readonly effect: string
  }): Answer {
    const { name, path, before, after, word, effect } = change
    const written = await replaceEntry(path, name, { bytes: after, mode: before?.mode })
    if (!written.ok) return failed(written.error)
    this.#changes.push({ name, before, after })
    return this.#told(name, `${word} ${name}. ${effect}`)
  }

  async #told(name: string, message: string): Answer {
    await this.#source.readNow([name])
    return ok({ message })
  }

  /** One change after the other, with the clock held. */
  #alone(name: string, change: (path: string) => Answer): Answer {
    if (this.#deps.readOnly)
      return Promise.resolve(err({ kind: 'read-only', message: readOnlySentence }))
    const waiting = this.#waiting()
    if (waiting !== '') return Promise.resolve(refused(waiting))
    const path = this.#pathOf(name)
    if (!path.ok) return Promise.resolve(path)
    this.#deps.clock.catchUp?.()
    const release = this.#deps.clock.hold()
    const answer = this.#queue.then(() => change(path.value)).finally(release)
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
      // No control plane acts on a static pod, in the sandbox or elsewhere.
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
    () => 0, // removed meanwhile: the source will say so
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
