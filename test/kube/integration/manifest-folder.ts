import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'

/** A manifest of a static pod. */
export type Manifest = Pick<Pod, 'spec'> & {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** `manifests` in the folder of a kubelet: its static pods. */
export class ManifestFolder {
  readonly path: string
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    this.path = join(folder, 'manifests')
  }

  /** In the file of its name, or of another pod's. Atomic, so that the source never reads an incomplete file. */
  async put(manifest: Manifest, file = manifest.metadata.name): Promise<void> {
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...manifest })
    const draft = join(this.#folder, `draft.${manifest.metadata.namespace}`)
    await writeFile(draft, text)
    await rename(draft, this.#fileOf({ ...manifest.metadata, name: file }))
  }

  async remove(metadata: Manifest['metadata']): Promise<void> {
    await rm(this.#fileOf(metadata))
  }

  #fileOf({ namespace, name }: Manifest['metadata']): string {
    return join(this.path, `${namespace}.${name}.yaml`)
  }
}
