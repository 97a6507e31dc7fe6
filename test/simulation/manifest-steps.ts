import { isJsonObject } from '../../src/shared/json.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { RandomPicker } from '../random-picker.ts'
import type { ClusterContext, ManifestFiles, Step } from './step-context.ts'

const manifestNames = 4

/** A folder, one of its files, and the pod that it holds, if it holds one. */
interface Found {
  readonly folder: ManifestFiles
  readonly name: string
  readonly pod: Pod | undefined
}

function folderOf(context: ClusterContext, pick: RandomPicker): ManifestFiles {
  return context.folder(context.node(pick).nodeName)
}

/** The manifest that a text holds, without a look at whether it is a good one. */
function manifestOf(text: string): Pod | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Only what the steps here have written.
    return isJsonObject(value) ? (value as unknown as Pod) : undefined
  } catch {
    return undefined
  }
}

function found(context: ClusterContext, pick: RandomPicker): Found | undefined {
  const folder = folderOf(context, pick)
  const name = pick.among(folder.names)
  if (name === undefined) return undefined
  return { folder, name, pod: manifestOf(folder.textOf(name) ?? '') }
}

function place({ folder, name }: Pick<Found, 'folder' | 'name'>): string {
  return `${folder.path}/${name}`
}

function newManifest(context: ClusterContext, pick: RandomPicker): Pod {
  const number = pick.whole(1, manifestNames)
  const name = `s${number}`
  const hasNamespace = pick.is(0.15)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      // With a UID in the manifest, edits do not change the pod's identity (identity#static-pods).
      uid: pick.is(0.3) ? `fixed-uid-of-${name}${hasNamespace ? '-team' : ''}` : '',
      name,
      ...(hasNamespace ? { namespace: 'team' } : {}),
    },
    spec: pick.weighted(context.templates).spec(pick),
  }
}

const none = 'finds no manifest'

/** What happens to the manifests of the nodes. */
export const manifestSteps = {
  'add a manifest': {
    weight: 8,
    act: (context, pick) => {
      const folder = folderOf(context, pick)
      const pod = newManifest(context, pick)
      // Another file may define the same pod (sources#file-source).
      const name = `${pick.is(0.15) ? 'copy-of-' : ''}${pod.metadata.name}.json`
      folder.write(name, JSON.stringify(pod))
      const uid = pod.metadata.uid === '' ? '' : `, uid ${pod.metadata.uid}`
      return `writes ${place({ folder, name })}${uid}`
    },
  },
  'edit a manifest': {
    weight: 6,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file?.pod === undefined) return none
      const { folder, name, pod } = file
      const labels = { edited: String(pick.whole(1, 99)) }
      folder.write(
        name,
        JSON.stringify({ ...pod, metadata: { ...pod.metadata, labels } } satisfies Pod),
      )
      return `labels ${place(file)}`
    },
  },
  'change the image of a manifest': {
    weight: 3,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file?.pod === undefined) return none
      const { folder, name, pod } = file
      const image = `busybox:1.${pick.whole(30, 37)}`
      const containers = pod.spec.containers.map((container) => ({ ...container, image }))
      folder.write(
        name,
        JSON.stringify({ ...pod, spec: { ...pod.spec, containers } } satisfies Pod),
      )
      return `gives ${place(file)} the image ${image}`
    },
  },
  'remove a manifest': {
    weight: 7,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file === undefined) return none
      file.folder.remove(file.name)
      return `removes ${place(file)}`
    },
  },
  'move a manifest away and back': {
    weight: 2,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file === undefined) return none
      const text = file.folder.textOf(file.name) ?? ''
      const awayMs = pick.whole(0, 15_000)
      file.folder.remove(file.name)
      context.later(place(file), awayMs, () => {
        file.folder.write(file.name, text)
      })
      return `moves ${place(file)} away for ${awayMs} ms`
    },
  },
  'rename a manifest': {
    weight: 3,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file === undefined) return none
      const to = `renamed-${file.name.replace(/^renamed-/, '')}`
      file.folder.rename(file.name, to)
      return `renames ${place(file)} to ${to}`
    },
  },
  'copy a manifest': {
    weight: 2,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file === undefined) return none
      const to = `${file.name}.backup`
      file.folder.write(to, file.folder.textOf(file.name) ?? '')
      return `copies ${place(file)} to ${to}`
    },
  },
  'break a manifest': {
    weight: 2,
    act: (context, pick) => {
      const file = found(context, pick)
      if (file === undefined) return none
      const text = file.folder.textOf(file.name) ?? ''
      file.folder.write(file.name, text.slice(0, pick.whole(0, text.length - 1)))
      return `cuts ${place(file)} short`
    },
  },
} satisfies Readonly<Record<string, Step<ClusterContext>>>
