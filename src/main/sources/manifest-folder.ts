import { basename, dirname, join, resolve } from 'node:path'
import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import type { TraceCauses, TraceSeq } from '../../shared/model/trace-event.ts'
import type { SourcePod } from '../kubelet/config/pod-config.ts'
import { fileErrorText, isMissing } from '../files/file-error.ts'
import { defaultKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { WithKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { CancelTimer, Hash, HoldableClock, Log, Trace } from '../kubelet/ports.ts'
import { parseInPlace } from '../parsing/kubernetes-text.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import { diskFiles } from './folder-files.ts'
import type { FolderFiles } from './folder-files.ts'
import type { FolderWatch, WatchFolder } from './folder-watch.ts'
import { manifestFiles } from './manifest-files.ts'
import type { FolderFile, FolderSnapshot } from './manifest-files.ts'
import { firstProblems, manifestProblems } from './manifest-problems.ts'
import { ManifestReader } from './manifest-reader.ts'
import type { ManifestFile } from './manifest-reader.ts'
import { ManifestStore, manifestKey } from './manifest-store.ts'
import type { StoredManifest } from './manifest-store.ts'
import { SourceFailure } from './source-failure.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

export interface ManifestFolderDeps extends WithKubeletSettings {
  /** A folder of manifests, or a single one. */
  readonly path: string
  readonly nodeName: string
  readonly hash: Hash
  /** `catchUp` advances a virtual clock to the present, so that a change gets the time of its arrival. */
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly trace: Trace
  readonly log: Log
  readonly watchFolder: WatchFolder
  /** Default: the machine's file system. */
  readonly files?: FolderFiles
  /** Default: parses on the main thread. */
  readonly parse?: ParseText | undefined
  /** A SET: all static pods. Only those that changed since the last SET name causes. */
  readonly onPods: (pods: readonly SourcePod[], causes: TraceCauses) => void
  /** Called with all current problems when they change. */
  readonly onProblems: (problems: readonly SourceProblem[]) => void
}

interface FileRecord {
  readonly digest: string
  readonly reading: ManifestReading
  /** The newest valid text since the file was created; null if there is none. */
  readonly goodText: string | null
  /** The newest trace event about this file. */
  readonly seq: TraceSeq
}

/** The folder to watch, and whether only one file in it is a manifest. */
interface Root {
  readonly folder: string
  readonly isSingleFile: boolean
}

// sources#file-source: the back-off of a failed watch.
const rewatchMs = { first: 1000, max: 20_000 } as const
/** Entries that are read while the clock is held; after them the clock runs for a moment. */
const entriesPerHold = 100
const subject = { kind: 'source', source: 'file' } as const

const undecodableFile: ManifestFile = {
  kind: 'file',
  digest: 'undecodable',
  text: null,
  reading: {
    kind: 'rejected',
    problem: {
      line: null,
      column: null,
      message:
        'The name of this file is not UTF-8, so it cannot be read here: rename it. A kubelet reads it.',
    },
  },
}

/**
 * Static pods from files (sources#file-source; kubelet pkg/kubelet/config/file.go). The folder is scanned at start and every
 * 20 s (fileCheckFrequency); in between, each changed file is read alone. Scans and reads run one after the other and hold the clock, 100 entries
 * at a time.
 *
 * Files that change together share a SET, so that ten thousand new files are not ten thousand SETs of up to ten thousand pods.
 * No state of a pod is skipped: before a second change of one pod, the source sends a SET.
 */
export class ManifestFolderSource {
  readonly #deps: ManifestFolderDeps
  readonly #path: string
  readonly #files: FolderFiles
  readonly #reader: ManifestReader
  readonly #relistMs: number
  readonly #store = new ManifestStore()
  readonly #records = new Map<string, FileRecord>()
  /** By path: the reason in one sentence. */
  readonly #skipped = new Map<string, string>()
  #root: Root
  #sent: ReadonlyMap<string, StoredManifest> = new Map()
  /** Since the last SET: by uid of the pod, and all together. */
  readonly #causesOfPod = new Map<string, TraceSeq[]>()
  #causes: TraceSeq[] = []
  #problems: readonly SourceProblem[] = []
  readonly #failure: SourceFailure
  #watch: { readonly running: FolderWatch; readonly id: string } | undefined
  #rewatchMs: number = rewatchMs.first
  #cancelRewatch: CancelTimer | undefined
  #cancelRelist: CancelTimer | undefined
  #queue: Promise<void> = Promise.resolve()
  #isRelistDue = false
  #release: () => void = () => undefined
  /** Since the clock was last released. */
  #entriesSeen = 0
  #isStopped = false

  constructor(deps: ManifestFolderDeps) {
    this.#deps = deps
    this.#path = resolve(deps.path)
    this.#relistMs = (deps.settings ?? defaultKubeletSettings).fileCheckFrequencyMs
    this.#failure = new SourceFailure({ ...deps, source: 'file', where: this.#path })
    this.#root = { folder: this.#path, isSingleFile: false }
    this.#files = deps.files ?? diskFiles
    const { nodeName, hash, parse = parseInPlace } = deps
    this.#reader = new ManifestReader({ nodeName, hash, files: this.#files, parse })
  }

  start(): void {
    if (this.#isStopped || this.#cancelRelist !== undefined) return
    const tick = (): void => {
      this.#cancelRelist = this.#deps.clock.after(this.#relistMs, tick)
      this.#relistSoon()
    }
    tick()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelRelist?.()
    this.#cancelRewatch?.()
    this.#watch?.running.close()
    this.#watch = undefined
  }

  /** The entries of the folder and the last SET. */
  snapshot(): FolderSnapshot {
    return {
      path: this.#path,
      ...this.#root,
      readings: new Map([...this.#records].map(([path, { reading }]) => [path, reading])),
      sent: this.#sent,
      skipped: this.#skipped,
      goodTexts: new Map([...this.#records].map(([path, { goodText }]) => [path, goodText])),
    }
  }

  /** Each entry of the folder with its state, by name. */
  files(): readonly FolderFile[] {
    return manifestFiles(this.snapshot())
  }

  /** Reads these entries now, as for an event of the watch; resolves after the SET is sent. */
  readNow(names: readonly string[]): Promise<void> {
    this.#deps.clock.catchUp?.()
    return this.#enqueue(() => this.#readChanged(names))
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue
      .then(async () => {
        if (this.#isStopped) return
        this.#hold()
        await work()
        this.#report()
      })
      .catch((error: unknown) => {
        this.#deps.log.error('manifest folder broke', { path: this.#path, error })
      })
      .finally(() => {
        this.#release()
      })
    return this.#queue
  }

  /** A queued relist makes another one unnecessary. */
  #relistSoon(): void {
    if (this.#isRelistDue) return
    this.#isRelistDue = true
    void this.#enqueue(() => {
      this.#isRelistDue = false
      return this.#relist()
    })
  }

  #hold(): void {
    this.#release = this.#deps.clock.hold()
    this.#entriesSeen = 0
  }

  /** Awaited after each entry: releases the clock from time to time. */
  async #seenEntry(): Promise<void> {
    const { pause } = this.#files
    if (++this.#entriesSeen < entriesPerHold || pause === undefined) return
    this.#release()
    await pause()
    this.#deps.clock.catchUp?.()
    this.#hold()
  }

  async #relist(): Promise<void> {
    try {
      const stats = await this.#files.stat(this.#path)
      if (!stats.isDirectory() && !stats.isFile()) {
        this.#failure.fail(`${this.#path} is neither a folder nor a file.`)
        return
      }
      this.#root = stats.isDirectory()
        ? { folder: this.#path, isSingleFile: false }
        : { folder: dirname(this.#path), isSingleFile: true }
    } catch (error) {
      this.#rootUnreadable(error)
      return
    }
    // The watch starts first, so that files written during the scan are read again.
    await this.#ensureWatch()
    if (this.#root.isSingleFile) await this.#relistFile()
    else await this.#relistFolder()
  }

  #rootUnreadable(error: unknown): void {
    this.#failure.fail(`${this.#path} cannot be read: ${fileErrorText(error)}.`)
    this.#rewatchLater()
    if (!isMissing(error)) return
    this.#forgetAllBut(new Set())
    // Does not change the store, like in the kubelet.
    this.#send([])
  }

  async #relistFile(): Promise<void> {
    this.#failure.recovered()
    this.#forgetAllBut(new Set([this.#path]))
    const file = await this.#reader.read(this.#path, { isFresh: false })
    const manifest = this.#takeFile(this.#path, file)
    if (manifest === undefined || this.#isStopped) return
    this.#store.replace([manifest])
    this.#send(this.#store.manifests)
  }

  async #relistFolder(): Promise<void> {
    const { paths, undecodable } = await this.#entries()
    this.#forgetAllBut(new Set([...paths, ...undecodable]))
    for (const path of undecodable) this.#takeFile(path, undecodableFile)
    const manifests: StoredManifest[] = []
    for (const path of paths) {
      const file = await this.#reader.read(path, { isFresh: false })
      if (this.#isStopped) return
      const manifest = this.#takeFile(path, file)
      if (manifest !== undefined) manifests.push(manifest)
      await this.#seenEntry()
    }
    // An empty SET does not change the store, like in the kubelet.
    if (manifests.length > 0) this.#store.replace(manifests)
    this.#send(manifests.length > 0 ? this.#store.manifests : [])
  }

  /** A folder that cannot be listed counts as empty, because the kubelet's Glob ignores errors. */
  async #entries(): Promise<{
    readonly paths: readonly string[]
    readonly undecodable: readonly string[]
  }> {
    const pathsOf = (names: readonly string[]): readonly string[] =>
      names
        .filter((name) => !name.startsWith('.'))
        .toSorted()
        .map((name) => join(this.#root.folder, name))
    try {
      const { names, undecodable } = await this.#files.readdir(this.#root.folder)
      this.#failure.recovered()
      return { paths: pathsOf(names), undecodable: pathsOf(undecodable) }
    } catch (error) {
      this.#failure.fail(
        `${this.#path} cannot be listed: ${fileErrorText(error)}; its pods are stopped.`,
      )
      return { paths: [], undecodable: [] }
    }
  }

  async #readChanged(names: readonly string[] | undefined): Promise<void> {
    if (names === undefined) return await this.#relist()
    /** Keys of the pods that the next SET changes. */
    const changed = new Set<string>()
    const send = (): void => {
      if (changed.size > 0) this.#send(this.#store.manifests)
      changed.clear()
    }
    for (const name of names) {
      const path = join(this.#root.folder, name)
      const isOurs = this.#root.isSingleFile ? path === this.#path : !name.startsWith('.')
      if (!isOurs) continue
      const file = await this.#reader.read(path, { isFresh: true })
      if (this.#isStopped) return
      const key = this.#keyIn(path, file)
      if (key !== undefined && changed.has(key)) send()
      const manifest = this.#takeFile(path, file)
      if (manifest !== undefined) this.#store.upsert(manifest)
      const isGone = file.kind === 'missing' && this.#store.removeFile(path)
      if (key !== undefined && (manifest !== undefined || isGone)) changed.add(key)
      if (this.#entriesSeen + 1 >= entriesPerHold) send()
      await this.#seenEntry()
    }
    send()
    // The watch reports a name that is not UTF-8 with replacement characters.
    if (names.some((name) => name.includes('\ufffd'))) await this.#relist()
  }

  /** The pod that a changed file defines, or defined before it was removed. */
  #keyIn(path: string, file: ManifestFile): string | undefined {
    if (file.kind === 'missing') return this.#store.keyOfFile(path)
    return file.kind === 'file' && file.reading.kind === 'pod'
      ? manifestKey(file.reading.pod)
      : undefined
  }

  /** Traces a change of a file. Returns its manifest if it is valid. */
  #takeFile(path: string, file: ManifestFile): StoredManifest | undefined {
    switch (file.kind) {
      case 'missing':
        this.#forget(path)
        return undefined
      case 'folder':
      case 'special':
        this.#skip(path, file.kind === 'folder' ? 'a folder' : 'not a regular file')
        return undefined
      case 'file': {
        const { reading } = file
        if (this.#records.get(path)?.digest !== file.digest) this.#record(path, file)
        return reading.kind === 'pod' ? { path, pod: reading.pod } : undefined
      }
    }
  }

  #record(path: string, file: ManifestFile & { readonly kind: 'file' }): void {
    const { trace, log } = this.#deps
    const { digest, reading } = file
    const before = this.#records.get(path)?.goodText ?? null
    const goodText = reading.kind === 'pod' ? file.text : before
    const change = this.#records.has(path) ? 'modified' : 'added'
    const seq = this.#traceChange(path, change)
    if (reading.kind === 'pod') {
      this.#records.set(path, { digest, reading, goodText, seq })
      this.#causes.push(seq)
      const { uid } = reading.pod.metadata
      this.#causesOfPod.set(uid, [...(this.#causesOfPod.get(uid) ?? []), seq])
      return
    }
    const { message } = reading.problem
    log.warn('manifest rejected', { path, message })
    const data = { path, message }
    const rejected = trace.emit({ kind: 'manifest.rejected', subject, causes: [seq], data })
    this.#records.set(path, { digest, reading, goodText, seq: rejected })
  }

  #skip(path: string, what: string): void {
    this.#forget(path)
    if (this.#skipped.has(path)) return
    const message = `${basename(path)} is ${what} and is not read.`
    this.#skipped.set(path, message)
    this.#deps.log.info('manifest skipped', { path, message })
    const data = { path, message }
    this.#deps.trace.emit({ kind: 'manifest.skipped', subject, causes: [], data })
  }

  #forget(path: string): void {
    if (!this.#records.delete(path)) return
    this.#causes.push(this.#traceChange(path, 'removed'))
  }

  #traceChange(path: string, change: 'added' | 'modified' | 'removed'): TraceSeq {
    const data = { path, change }
    return this.#deps.trace.emit({ kind: 'manifest.changed', subject, causes: [], data })
  }

  #forgetAllBut(present: ReadonlySet<string>): void {
    for (const path of this.#records.keys()) if (!present.has(path)) this.#forget(path)
    for (const path of this.#skipped.keys()) if (!present.has(path)) this.#skipped.delete(path)
    this.#reader.keepOnly(present)
  }

  #send(manifests: readonly StoredManifest[]): void {
    const sent = new Map(manifests.map((manifest) => [manifestKey(manifest.pod), manifest]))
    const causes = new Set([...this.#causes, ...this.#causesOfLoss(sent)])
    const pods = manifests.map(({ pod }): SourcePod => {
      const own = this.#causesOfPod.get(pod.metadata.uid)
      return own === undefined ? { pod } : { pod, causes: own }
    })
    this.#sent = sent
    this.#causes = []
    this.#causesOfPod.clear()
    this.#deps.onPods(pods, [...causes])
  }

  /** The rejections of files, possibly of earlier scans, that remove a pod from this SET. */
  #causesOfLoss(next: ReadonlyMap<string, StoredManifest>): readonly TraceSeq[] {
    return [...this.#sent].flatMap(([key, { path }]) => {
      const record = this.#records.get(path)
      return next.has(key) || record === undefined ? [] : [record.seq]
    })
  }

  #report(): void {
    const own = firstProblems(manifestProblems(this.snapshot()), this.#path)
    const problems =
      this.#failure.message === undefined
        ? own
        : [{ where: this.#path, message: this.#failure.message, line: null, column: null }, ...own]
    if (JSON.stringify(problems) === JSON.stringify(this.#problems)) return
    this.#problems = problems
    this.#deps.onProblems(problems)
  }

  /** A folder that was removed and created again is another folder, which the old watch does not see. */
  async #ensureWatch(): Promise<void> {
    const { folder } = this.#root
    try {
      const { dev, ino, birthtimeMs } = await this.#files.stat(folder)
      const id = [folder, dev, ino, birthtimeMs].join(':')
      if (this.#watch?.id === id || this.#isStopped) return
      this.#watch?.running.close()
      this.#watch = undefined
      const running = this.#deps.watchFolder(folder, {
        onChanged: (names) => {
          this.#deps.clock.catchUp?.()
          void this.#enqueue(() => this.#readChanged(names))
        },
        onFailed: (error) => {
          this.#watchFailed(error)
        },
      })
      this.#watch = { running, id }
      this.#rewatchMs = rewatchMs.first
      this.#cancelRewatch?.()
      this.#cancelRewatch = undefined
    } catch (error) {
      this.#watchFailed(error)
    }
  }

  #watchFailed(error: unknown): void {
    this.#watch?.running.close()
    this.#watch = undefined
    const { log } = this.#deps
    log.warn('manifest folder is not watched, only read in each fileCheckFrequency', {
      path: this.#path,
      error,
    })
    this.#rewatchLater()
  }

  #rewatchLater(): void {
    if (this.#isStopped || this.#cancelRewatch !== undefined) return
    this.#cancelRewatch = this.#deps.clock.after(this.#rewatchMs, () => {
      this.#cancelRewatch = undefined
      this.#rewatchMs = Math.min(2 * this.#rewatchMs, rewatchMs.max)
      // Changes may have been missed.
      this.#relistSoon()
    })
  }
}
