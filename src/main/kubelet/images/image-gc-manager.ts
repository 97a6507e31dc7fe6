import { formatDuration } from '../../../shared/go/duration.ts'
import { aggregateText } from '../../../shared/go/text.ts'
import type { TraceSubject } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Runtime } from '../container/runtime.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { WithKubeletSettings } from '../kubelet-settings.ts'
import { traceAbout } from '../pod/identity.ts'
import type {
  CancelTimer,
  ContainerHost,
  CorePorts,
  EventRecorder,
  FilesystemInfo,
  ImageService,
  RuntimeImage,
} from '../ports.ts'

/** In ms: kubelet.go ImageGCPeriod; image_gc_manager.go Start. */
const imageGcDefaults = {
  periodMs: 300_000,
  detectPeriodMs: 300_000,
  listPeriodMs: 30_000,
} as const

const subject: TraceSubject = { kind: 'node' }

export interface ImageGcManagerDeps
  extends CorePorts, WithKubeletSettings, Pick<ContainerHost, 'dirFilesystemInfo'> {
  readonly imageService: ImageService
  readonly runtime: Pick<Runtime, 'getPods'>
  readonly recorder: EventRecorder
}

interface ImageRecord {
  readonly id: string
  readonly names: readonly string[]
  readonly firstDetectedAt: number
  lastUsedAt: number
  sizeBytes: number
  isPinned: boolean
}

type Reason = 'age' | 'space'

/**
 * Removes images that no container uses: those unused for longer than `imageMaximumGCAge`, and while the disk is fuller
 * than `imageGCHighThresholdPercent`, the least recently used ones down to `imageGCLowThresholdPercent`
 * (images#garbage-collection; kubelet images/image_gc_manager.go). Times in ms on the clock.
 */
export class ImageGcManager {
  readonly #deps: ImageGcManagerDeps
  readonly #records = new Map<string, ImageRecord>()
  readonly #timers = new Set<CancelTimer>()
  #images: readonly RuntimeImage[] = []
  #used: ReadonlySet<string> = new Set()
  #isRunning = false

  constructor(deps: ImageGcManagerDeps) {
    this.#deps = deps
  }

  /** Begins to list images, to note their use and to remove unused ones, each at once and then in its period. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    const { detectPeriodMs, listPeriodMs, periodMs } = imageGcDefaults
    const { clock, log, settings = defaultKubeletSettings } = this.#deps
    const failed = (message: string, result: Result<unknown, string>): void => {
      if (!result.ok) log.info(message, { error: result.error })
    }
    void this.#repeat(detectPeriodMs, async () => {
      failed('images not monitored', await this.#detectImages(clock.now()))
    })
    void this.#repeat(listPeriodMs, async () => {
      failed('image list not updated', await this.#updateImageList())
    })
    if (settings.imageGCHighThresholdPercent === 100 && settings.imageMaximumGCAgeMs === 0) return
    const beganAt = clock.now()
    let hasFailed = false
    void this.#repeat(periodMs, async () => {
      const collected = await this.garbageCollect(beganAt)
      failed('image garbage collection failed', collected)
      if (!collected.ok && hasFailed) this.#event('ImageGCFailed', collected.error)
      hasFailed = !collected.ok
    })
  }

  stop(): void {
    this.#isRunning = false
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  /** The images as of the last listing, the largest first. */
  getImageList(): readonly RuntimeImage[] {
    return this.#images
  }

  /** Each image, and whether it stays: a container is made from it as of the last look, or the runtime pins it. */
  *records(): IterableIterator<{
    readonly name: string
    readonly sizeBytes: number
    readonly isUsed: boolean
  }> {
    for (const { id, names, sizeBytes, isPinned } of this.#records.values())
      yield { name: names[0] ?? id, sizeBytes, isUsed: isPinned || this.#used.has(id) }
  }

  /** One round. `beganAt`: when rounds began; for their age images are removed only later than this plus the age. */
  async garbageCollect(beganAt: number): Promise<Result<undefined, string>> {
    const { clock, settings = defaultKubeletSettings } = this.#deps
    const freeAt = clock.now()
    const candidates = await this.#imagesInEvictionOrder(freeAt)
    if (!candidates.ok) return candidates
    const remaining = await this.#freeOldImages(candidates.value, freeAt, beganAt)
    if (!remaining.ok) return remaining
    const filesystem = await this.#imageFilesystem()
    if (!filesystem.ok) return filesystem
    const { capacityBytes = 0, availableBytes = 0 } = filesystem.value ?? {}
    if (capacityBytes === 0) {
      const message = 'invalid capacity 0 on image filesystem'
      this.#event('InvalidDiskCapacity', message)
      return err(message)
    }
    const available = Math.min(availableBytes, capacityBytes)
    const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = settings
    if (100 - Math.trunc((available * 100) / capacityBytes) < high) return ok(undefined)
    const wanted = Math.trunc((capacityBytes * (100 - low)) / 100) - available
    const freed = await this.#freeSpace(wanted, freeAt, remaining.value)
    if (!freed.ok) return freed
    if (freed.value >= wanted) return ok(undefined)
    const message = `Failed to garbage collect required amount of images. Attempted to free ${wanted} bytes, but only found ${freed.value} bytes eligible to free.`
    this.#event('FreeDiskSpaceFailed', message)
    return err(message)
  }

  /** Removes all that are unused and old enough, however full the disk is (DeleteUnusedImages). */
  async deleteUnusedImages(): Promise<Result<undefined, string>> {
    const freeAt = this.#deps.clock.now()
    const candidates = await this.#imagesInEvictionOrder(freeAt)
    if (!candidates.ok) return candidates
    const freed = await this.#freeSpace(Infinity, freeAt, candidates.value)
    return freed.ok ? ok(undefined) : freed
  }

  async #repeat(periodMs: number, work: () => Promise<void>): Promise<void> {
    await work()
    if (!this.#isRunning) return
    const cancel = this.#deps.clock.after(periodMs, () => {
      this.#timers.delete(cancel)
      void this.#repeat(periodMs, work)
    })
    this.#timers.add(cancel)
  }

  async #updateImageList(): Promise<Result<undefined, string>> {
    const images = await this.#listImages()
    if (!images.ok) return images
    this.#images = images.value.toSorted((one, other) => other.sizeBytes - one.sizeBytes)
    return ok(undefined)
  }

  async #listImages(): Promise<Result<readonly RuntimeImage[], string>> {
    const images = await this.#deps.imageService.listImages()
    return images.ok ? images : err(images.error.message)
  }

  /** Notes the images that are there and those that containers use. Returns the ids of the latter. */
  async #detectImages(detectedAt: number): Promise<Result<ReadonlySet<string>, string>> {
    const images = await this.#listImages()
    if (!images.ok) return images
    const pods = await this.#deps.runtime.getPods(true)
    if (!pods.ok) return err(pods.error.message)
    const used = new Set(
      pods.value.flatMap(({ containers }) =>
        containers.map(({ imageRef, imageId = imageRef }) => imageId),
      ),
    )
    this.#used = used
    const now = this.#deps.clock.now()
    for (const image of images.value) {
      const { id, sizeBytes, pinned = false } = image
      const record = this.#records.get(id) ?? {
        id,
        names: [...(image.repoTags ?? []), ...(image.repoDigests ?? [])],
        firstDetectedAt: detectedAt,
        lastUsedAt: Number.NEGATIVE_INFINITY,
        sizeBytes,
        isPinned: pinned,
      }
      if (used.has(id)) record.lastUsedAt = now
      record.sizeBytes = sizeBytes
      record.isPinned = pinned
      this.#records.set(id, record)
    }
    const present = new Set(images.value.map(({ id }) => id))
    for (const id of this.#records.keys()) if (!present.has(id)) this.#records.delete(id)
    return ok(used)
  }

  async #imagesInEvictionOrder(freeAt: number): Promise<Result<readonly ImageRecord[], string>> {
    const used = await this.#detectImages(freeAt)
    if (!used.ok) return used
    const unused = [...this.#records.values()].filter(
      ({ id, isPinned }) => !isPinned && !used.value.has(id),
    )
    return ok(
      unused.toSorted((one, other) =>
        one.lastUsedAt === other.lastUsedAt
          ? one.firstDetectedAt - other.firstDetectedAt
          : one.lastUsedAt - other.lastUsedAt,
      ),
    )
  }

  /** Returns the images that remain. */
  async #freeOldImages(
    images: readonly ImageRecord[],
    freeAt: number,
    beganAt: number,
  ): Promise<Result<readonly ImageRecord[], string>> {
    const { imageMaximumGCAgeMs: maxAgeMs } = this.#deps.settings ?? defaultKubeletSettings
    if (maxAgeMs === 0 || freeAt - beganAt <= maxAgeMs) return ok(images)
    const remaining: ImageRecord[] = []
    const failures: string[] = []
    for (const image of images) {
      const isOld = freeAt - image.lastUsedAt > maxAgeMs
      const failure = isOld ? await this.#freeImage(image, 'age') : undefined
      if (failure !== undefined) failures.push(failure)
      if (failure !== undefined || !isOld) remaining.push(image)
    }
    const error = aggregateText(failures)
    return error === undefined
      ? ok(remaining)
      : err(
          `wanted to free images older than ${formatDuration(maxAgeMs)}, encountered errors in image deletion: ${error}`,
        )
  }

  /** Returns how many bytes were freed, which may be fewer than wanted. */
  async #freeSpace(
    wantedBytes: number,
    freeAt: number,
    images: readonly ImageRecord[],
  ): Promise<Result<number, string>> {
    const { imageMinimumGCAgeMs: minAgeMs } = this.#deps.settings ?? defaultKubeletSettings
    const failures: string[] = []
    let freedBytes = 0
    for (const image of images) {
      // Pulled just now, it may be used at once.
      if (image.lastUsedAt >= freeAt || freeAt - image.firstDetectedAt < minAgeMs) continue
      const failure = await this.#freeImage(image, 'space')
      if (failure === undefined) freedBytes += image.sizeBytes
      else failures.push(failure)
      if (failure === undefined && freedBytes >= wantedBytes) break
    }
    const error = aggregateText(failures)
    return error === undefined
      ? ok(freedBytes)
      : err(
          `wanted to free ${wantedBytes === Infinity ? '9223372036854775807' : wantedBytes} bytes, but freed ${freedBytes} bytes space with errors in image deletion: ${error}`,
        )
  }

  /** Returns why it failed. */
  async #freeImage(
    { id, names, sizeBytes }: ImageRecord,
    reason: Reason,
  ): Promise<string | undefined> {
    const { trace, imageService } = this.#deps
    const removed = await imageService.removeImage(id)
    if (!removed.ok) return removed.error.message
    this.#records.delete(id)
    const image = names[0] ?? id
    traceAbout(trace, subject, 'image.removed', [], { image, sizeBytes, reason })
    return undefined
  }

  async #imageFilesystem(): Promise<Result<FilesystemInfo | undefined, string>> {
    const { imageService, dirFilesystemInfo } = this.#deps
    const info = await imageService.imageFsInfo()
    if (!info.ok) return err(info.error.message)
    const [filesystem] = info.value.imageFilesystems
    if (filesystem === undefined) return err('imageFs information is unavailable')
    const found = await dirFilesystemInfo(filesystem.mountpoint)
    if (found.ok) return found
    const failure = 'Failed to get the info of the filesystem with mountpoint'
    return err(`get filesystem info: ${failure}: ${found.error}`)
  }

  #event(reason: string, message: string): void {
    this.#deps.recorder.event({ kind: 'node' }, 'Warning', reason, message)
  }
}
