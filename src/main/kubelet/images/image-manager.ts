import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { tracePod } from '../pod/identity.ts'
import type {
  CorePorts,
  EventRecorder,
  ImageService,
  RuntimeError,
  RuntimeImage,
} from '../ports.ts'
import type { BackOff } from '../container/back-off.ts'
import { recordContainerEvent } from '../kuberuntime/container-events.ts'
import { formatDuration } from '../../../shared/go/duration.ts'
import { defaultPullPolicy, withDefaultTag } from '../../../shared/kubernetes/image-reference.ts'
import { imageSizeLabel } from '../metrics/image-size.ts'
import { TokenBucket } from '../container/token-bucket.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { WithKubeletSettings } from '../kubelet-settings.ts'
import { parallelImagePuller, serialImagePuller } from './image-puller.ts'
import type { ImagePuller } from './image-puller.ts'

/** Why an image is not there: a waiting reason of images#pulling, and its message. */
export interface ImageFailure {
  readonly reason:
    | 'ErrImagePull'
    | 'ImagePullBackOff'
    | 'ErrImageNeverPull'
    | 'ImageInspectError'
    | 'InvalidImageName'
    | 'RegistryUnavailable'
    | 'SignatureValidationFailed'
  readonly message: string
}

/** An image on the node, and its trace event. */
export interface EnsuredImage {
  /** What the container is made from. */
  readonly image: string
  readonly imageRef: string
  readonly causes: TraceCauses
}

interface ImageManagerDeps extends WithKubeletSettings, Omit<CorePorts, 'log'> {
  readonly imageService: ImageService
  readonly backOff: BackOff
  readonly recorder: EventRecorder
}

interface ImageRequest {
  readonly pod: Pod
  readonly container: Container
  /** As the spec has it. */
  readonly requested: string
  /** With its default tag. */
  readonly image: string
  readonly causes: TraceCauses
}

interface Pull {
  readonly result: Result<string, RuntimeError>
  readonly sizeBytes: number
  readonly pullMs: number
}

const namedFailures = {
  RegistryUnavailable: 'the registry is unavailable',
  SignatureValidationFailed: 'the signature validation failed',
} as const

/**
 * Brings images to the node (images#pulling; kubelet images.imageManager): by pull policy, one pull at a time or
 * several, with a back-off per pod and image, and with the kubelet's events.
 */
export class ImageManager {
  readonly #deps: ImageManagerDeps
  /** Undefined: no limit. */
  readonly #registryLimit: TokenBucket | undefined
  readonly #lastErrors = new Map<string, string>()
  readonly #puller: ImagePuller
  /** The images of pulls in progress, also of those that wait for their turn. */
  readonly pulling = new Set<{ readonly image: string }>()

  constructor(deps: ImageManagerDeps) {
    this.#deps = deps
    const settings = deps.settings ?? defaultKubeletSettings
    const { registryPullQPS: qps, registryBurst: burst, maxParallelImagePulls } = settings
    this.#registryLimit = qps === 0 ? undefined : new TokenBucket({ clock: deps.clock, qps, burst })
    this.#puller = settings.serializeImagePulls
      ? serialImagePuller()
      : parallelImagePuller(maxParallelImagePulls)
  }

  /** Resolves when the image is there, or with the reason why not. Failed pulls are not repeated here. */
  async ensureImageExists(
    pod: Pod,
    container: Container,
    causes: TraceCauses,
  ): Promise<Result<EnsuredImage, ImageFailure>> {
    const requested = container.image ?? ''
    const named = withDefaultTag(requested)
    if (!named.ok) {
      const message = `Failed to apply default image tag ${goQuote(requested)}: ${named.error}`
      const request = { pod, container, requested, image: requested, causes }
      this.#event(request, 'Warning', 'InspectFailed', message)
      return this.#failed(request, 'InvalidImageName', message)
    }
    const request = { pod, container, requested, image: named.value, causes }
    const policy = container.imagePullPolicy ?? defaultPullPolicy(requested)
    if (policy === 'Always') return this.#pullUnlessBackingOff(request)
    const present = await this.#deps.imageService.imageStatus(request.image)
    if (!present.ok) {
      // The kubelet names the reference here, which is empty when the inspection failed.
      const message = `Failed to inspect image "": ${present.error.message}`
      this.#event(request, 'Warning', 'InspectFailed', message)
      return this.#failed(request, 'ImageInspectError', message)
    }
    if (present.value !== undefined) return this.#present(request, present.value)
    if (policy === 'IfNotPresent') return this.#pullUnlessBackingOff(request)
    const message = `Container image ${goQuote(requested)} is not present with pull policy of Never`
    this.#event(request, 'Warning', 'ErrImageNeverPull', message)
    return this.#failed(request, 'ErrImageNeverPull', message)
  }

  #present(request: ImageRequest, image: RuntimeImage): Result<EnsuredImage, ImageFailure> {
    const message = `Container image ${goQuote(request.requested)} already present on machine`
    const causes = this.#pulled(request, 0, true)
    this.#event({ ...request, causes }, 'Normal', 'Pulled', message)
    return ok({ image: request.image, imageRef: image.id, causes })
  }

  async #pullUnlessBackingOff(request: ImageRequest): Promise<Result<EnsuredImage, ImageFailure>> {
    const { backOff, clock } = this.#deps
    const key = `${request.pod.metadata.uid}_${request.requested}`
    if (backOff.isInBackOffSinceUpdate(key, clock.now())) {
      const message = `Back-off pulling image ${goQuote(request.requested)}`
      this.#event(request, 'Normal', 'BackOff', message)
      const last = this.#lastErrors.get(key)
      const why = last === undefined ? message : `${message}: ${last}`
      return this.#failed(request, 'ImagePullBackOff', why)
    }
    this.#lastErrors.delete(key)
    return this.#pull(request, key)
  }

  async #pull(request: ImageRequest, key: string): Promise<Result<EnsuredImage, ImageFailure>> {
    const { clock, trace, backOff, metrics } = this.#deps
    const { pod, container, requested } = request
    metrics?.podStartup.startedPulling(pod.metadata.uid)
    const seq = tracePod(trace, pod, 'image.pulling', request.causes, {
      container: container.name,
      image: requested,
    })
    const pulling: ImageRequest = { ...request, causes: [seq] }
    this.#event(pulling, 'Normal', 'Pulling', `Pulling image ${goQuote(requested)}`)
    const startedAt = clock.now()
    this.pulling.add(pulling)
    const { result, sizeBytes, pullMs } = await this.#puller(() => this.#pullNow(pulling))
    this.pulling.delete(pulling)
    if (!result.ok) {
      const { message } = result.error
      this.#event(
        pulling,
        'Warning',
        'Failed',
        `Failed to pull image ${goQuote(requested)}: ${message}`,
      )
      backOff.next(key, clock.now())
      const failure = pullFailure(requested, message)
      this.#lastErrors.set(key, `${failure.reason}: ${failure.message}`)
      return this.#failed(pulling, failure.reason, failure.message)
    }
    metrics?.podStartup.finishedPulling(pod.metadata.uid)
    const waitedMs = clock.now() - startedAt
    metrics?.imagePullDuration.with(imageSizeLabel(sizeBytes)).observe(waitedMs / 1000)
    const causes = this.#pulled(pulling, waitedMs, false)
    const took = `${formatDuration(pullMs)} (${formatDuration(waitedMs)} including waiting)`
    const size = `Image size: ${sizeBytes} bytes.`
    const message = `Successfully pulled image ${goQuote(requested)} in ${took}. ${size}`
    this.#event({ ...pulling, causes }, 'Normal', 'Pulled', message)
    backOff.collectGarbage()
    return ok({ image: request.image, imageRef: result.value, causes })
  }

  async #pullNow({ image, causes }: ImageRequest): Promise<Pull> {
    const { clock, imageService } = this.#deps
    const startedAt = clock.now()
    const result =
      (this.#registryLimit?.tryAccept() ?? true)
        ? await imageService.pullImage(image, causes)
        : err({ kind: 'failed', message: 'pull QPS exceeded' } as const)
    // Asked for by itself, and 0 when that fails (kubelet images/puller.go).
    const present = result.ok ? await imageService.imageStatus(image) : result
    const sizeBytes = present.ok ? (present.value?.sizeBytes ?? 0) : 0
    return { result, sizeBytes, pullMs: clock.now() - startedAt }
  }

  #pulled(request: ImageRequest, durationMs: number, present: boolean): TraceCauses {
    const { pod, container, requested, causes } = request
    const seq = tracePod(this.#deps.trace, pod, 'image.pulled', causes, {
      container: container.name,
      image: requested,
      durationMs,
      present,
    })
    return [seq]
  }

  #failed(
    { pod, container, requested, causes }: ImageRequest,
    reason: ImageFailure['reason'],
    message: string,
  ): Result<never, ImageFailure> {
    tracePod(this.#deps.trace, pod, 'image.failed', causes, {
      container: container.name,
      image: requested,
      message,
    })
    return err({ reason, message })
  }

  #event(
    { pod, container, causes }: ImageRequest,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const containerName = container.name
    recordContainerEvent(this.#deps.recorder, { pod, containerName, type, reason, message, causes })
  }
}

/** The runtime's error by the names that CRI gives two of them (kubelet evalCRIPullErr). */
function pullFailure(image: string, message: string): ImageFailure {
  for (const reason of ['RegistryUnavailable', 'SignatureValidationFailed'] as const) {
    if (!message.startsWith(reason)) continue
    const detail = message.slice(reason.length)
    const why = `image pull failed for ${image} because ${namedFailures[reason]}${detail}`
    return { reason, message: why }
  }
  return { reason: 'ErrImagePull', message }
}
