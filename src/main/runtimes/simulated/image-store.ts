import { createHash } from 'node:crypto'
import { withFields } from '../../../shared/json.ts'
import type { Result } from '../../../shared/result.ts'
import { err, ok } from '../../../shared/result.ts'
import type { RuntimeError, RuntimeImage } from '../../kubelet/ports.ts'
import { fullImageName } from '../../../shared/kubernetes/image-reference.ts'
import { pullFailure, slowPullMs } from './pull-failure.ts'
import type { Latency } from './latency.ts'

type ImageUser = Pick<RuntimeImage, 'uid' | 'username'>

/** An image on the node, with its full name. */
export interface StoredImage extends RuntimeImage {
  readonly name: string
}

/** Real sizes of well-known images, by the end of the repository; other sizes are derived from the name. */
const knownSizes: readonly (readonly [suffix: string, bytes: number])[] = [
  ['/pause', 319_862],
  ['/busybox', 2_223_686],
  ['/alpine', 3_634_744],
  ['/nginx', 72_404_038],
]

/** Users of well-known images, by the end of the repository; other images run as root. */
const knownUsers: readonly (readonly [suffix: string, user: ImageUser])[] = [
  ['/pause', { uid: 65_535 }],
  ['/nginx-unprivileged', { uid: 101 }],
  ['/grafana', { uid: 472 }],
  ['/prometheus', { username: 'nobody' }],
  ['/node-exporter', { username: 'nobody' }],
  ['/jenkins', { username: 'jenkins' }],
]

const noImages: readonly string[] = []

/** The node's images. Ids and sizes depend on the name, the duration of a pull on the seed and the name. */
export class ImageStore {
  readonly #latency: Latency
  readonly #images = new Map<string, StoredImage>()
  readonly #pulls = new Map<string, Promise<Result<string, RuntimeError>>>()

  constructor(deps: { readonly latency: Latency; readonly present?: readonly string[] }) {
    this.#latency = deps.latency
    for (const image of deps.present ?? noImages) this.#add(fullImageName(image) ?? image)
  }

  /** By any of its names, or by its id. */
  find(image: string): StoredImage | undefined {
    const name = fullImageName(image)
    const named = name === undefined ? undefined : this.#images.get(name)
    return named ?? [...this.#images.values()].find(({ id }) => id === image)
  }

  /** Has it without a pull. */
  keep(image: string): StoredImage {
    return this.find(image) ?? this.#add(fullImageName(image) ?? image)
  }

  list(): readonly StoredImage[] {
    return [...this.#images.values()]
  }

  /** By any of its names, or by its id. No effect if it is not present. */
  remove(image: string): void {
    const found = this.find(image)
    if (found !== undefined) this.#images.delete(found.name)
  }

  /** Pulls the image, or only checks the registry if it is present. Concurrent pulls of one image are one pull. */
  pull(image: string): Promise<Result<string, RuntimeError>> {
    const key = fullImageName(image) ?? image
    const running = this.#pulls.get(key)
    if (running !== undefined) return running
    const pull = this.#pull(image).finally(() => {
      this.#pulls.delete(key)
    })
    this.#pulls.set(key, pull)
    return pull
  }

  /** Drops pending pulls: the next call starts a new one. */
  forgetPulls(): void {
    this.#pulls.clear()
  }

  async #pull(image: string): Promise<Result<string, RuntimeError>> {
    const failure = pullFailure(image)
    const name = fullImageName(image)
    if (name === undefined) return err({ kind: 'failed', message: failure ?? '' })
    const isOnlyChecked = failure !== undefined || this.#images.has(name)
    const work = isOnlyChecked ? 'checkImage' : 'pullImage'
    const slowMs = isOnlyChecked ? undefined : slowPullMs(image)
    await this.#latency.wait(slowMs ?? this.#latency.drawFor(work, name))
    if (failure !== undefined) return err({ kind: 'failed', message: failure })
    return ok((this.#images.get(name) ?? this.#add(name)).id)
  }

  #add(name: string): StoredImage {
    const hash = createHash('sha256').update(name, 'utf8').digest('hex')
    const image = {
      id: `sha256:${hash}`,
      sizeBytes: sizeOf(name, hash),
      name,
      ...userOf(name),
    }
    this.#images.set(name, image)
    return image
  }
}

/** The image as CRI has it. An image that was pulled by digest has no tag. */
export function runtimeImage({ name, ...image }: StoredImage): RuntimeImage {
  const [tagged = '', digest] = name.split('@')
  const hasTag = digest === undefined || /:[^/]*$/.test(tagged)
  return withFields(image, {
    repoTags: hasTag ? [tagged] : [],
    repoDigests: [`${repositoryOf(name)}@${digest ?? image.id}`],
    ...(repositoryOf(name).endsWith('/pause') ? { pinned: true } : {}),
  })
}

function repositoryOf(name: string): string {
  return name.replace(/(:[^/]*)?(@.*)?$/, '')
}

/** Images with `nonroot` in the tag run as 65532, like distroless images; Bitnami's as 1001. */
function userOf(name: string): ImageUser {
  const repository = repositoryOf(name)
  if (name.slice(repository.length).includes('nonroot')) return { uid: 65_532 }
  if (repository.includes('/bitnami/')) return { uid: 1001 }
  return knownUsers.find(([suffix]) => repository.endsWith(suffix))?.[1] ?? {}
}

function sizeOf(name: string, hash: string): number {
  const repository = repositoryOf(name)
  const known = knownSizes.find(([suffix]) => repository.endsWith(suffix))
  const [leastBytes, spreadBytes] = [5_000_000, 145_000_000]
  return known?.[1] ?? leastBytes + (Number.parseInt(hash.slice(0, 8), 16) % spreadBytes)
}
