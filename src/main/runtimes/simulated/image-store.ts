import { createHash } from 'node:crypto'
import type { Result } from '../../../shared/result.ts'
import { err, ok } from '../../../shared/result.ts'
import type { RuntimeError, RuntimeImage } from '../../kubelet/ports.ts'
import { fullImageName } from '../../../shared/kubernetes/image-reference.ts'
import { pullFailure } from './pull-failure.ts'
import type { Latency } from './latency.ts'

type ImageUser = Pick<RuntimeImage, 'uid' | 'username'>

/** An image on the node, with the name it was pulled by. */
export interface StoredImage extends RuntimeImage {
  readonly name: string
}

/** Sizes that people know, by the end of the repository; all others are made up from the name. */
const knownSizes: readonly (readonly [suffix: string, bytes: number])[] = [
  ['/pause', 319_862],
  ['/busybox', 2_223_686],
  ['/alpine', 3_634_744],
  ['/nginx', 72_404_038],
]

/** Users that widely used images name, by the end of the repository; all others name none, which is root. */
const knownUsers: readonly (readonly [suffix: string, user: ImageUser])[] = [
  ['/pause', { uid: 65_535 }],
  ['/nginx-unprivileged', { uid: 101 }],
  ['/grafana', { uid: 472 }],
  ['/prometheus', { username: 'nobody' }],
  ['/node-exporter', { username: 'nobody' }],
  ['/jenkins', { username: 'jenkins' }],
]

const noImages: readonly string[] = []

/** The node's images. Ids and sizes follow from the name, the time of a pull from the seed and the name. */
export class ImageStore {
  readonly #latency: Latency
  readonly #images = new Map<string, StoredImage>()
  readonly #pulls = new Map<string, Promise<Result<RuntimeImage, RuntimeError>>>()

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

  list(): readonly StoredImage[] {
    return [...this.#images.values()]
  }

  /** By any of its names, or by its id. One that is not there is removed already. */
  remove(image: string): void {
    const found = this.find(image)
    if (found !== undefined) this.#images.delete(found.name)
  }

  /** Pulls, or looks up at the registry what is there already. Pulls of one image at the same time are one. */
  pull(image: string): Promise<Result<RuntimeImage, RuntimeError>> {
    const key = fullImageName(image) ?? image
    const running = this.#pulls.get(key)
    if (running !== undefined) return running
    const pull = this.#pull(image).finally(() => {
      this.#pulls.delete(key)
    })
    this.#pulls.set(key, pull)
    return pull
  }

  /** Pulls that were under way are begun anew by whoever asks next. */
  forgetPulls(): void {
    this.#pulls.clear()
  }

  async #pull(image: string): Promise<Result<RuntimeImage, RuntimeError>> {
    const failure = pullFailure(image)
    const name = fullImageName(image)
    if (name === undefined) return err({ kind: 'failed', message: failure ?? '' })
    const isOnlyChecked = failure !== undefined || this.#images.has(name)
    const work = isOnlyChecked ? 'checkImage' : 'pullImage'
    await this.#latency.wait(this.#latency.drawFor(work, name))
    if (failure !== undefined) return err({ kind: 'failed', message: failure })
    return ok(runtimeImage(this.#images.get(name) ?? this.#add(name)))
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

/** As CRI tells it: what is known by its digest alone has no tag. */
export function runtimeImage({ name, ...image }: StoredImage): RuntimeImage {
  const [tagged = '', digest] = name.split('@')
  const hasTag = digest === undefined || /:[^/]*$/.test(tagged)
  return {
    ...image,
    repoTags: hasTag ? [tagged] : [],
    repoDigests: [`${repositoryOf(name)}@${digest ?? image.id}`],
    ...(repositoryOf(name).endsWith('/pause') ? { pinned: true } : {}),
  }
}

function repositoryOf(name: string): string {
  return name.replace(/(:[^/]*)?(@.*)?$/, '')
}

/** Tags with `nonroot` run as 65532, as those of distroless images do; images of Bitnami as 1001. */
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
