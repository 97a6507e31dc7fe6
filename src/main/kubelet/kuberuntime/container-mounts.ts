import { goQuote } from '../../../shared/go/text.ts'
import { objectsAt, ownField, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Mount, MountPropagation } from '../cri-types.ts'
import { VariableExpander } from '../container/expansion.ts'
import type { HostFiles } from '../host/host-files.ts'
import { backstepProblem } from '../volume/host-path.ts'
import { cleanPath } from '../volume/path.ts'
import type { MountedVolume } from '../volumemanager/volume-manager.ts'
import { realPath } from './real-path.ts'

interface MountContext {
  /** Of the pod, by name. */
  readonly volumes: ReadonlyMap<string, MountedVolume>
  /** The container's variables, for `subPathExpr`. */
  readonly envs: readonly { readonly key: string; readonly value: string }[]
  readonly files: HostFiles
}

const propagations: Readonly<Record<string, MountPropagation>> = {
  '': 'PROPAGATION_PRIVATE',
  None: 'PROPAGATION_PRIVATE',
  HostToContainer: 'PROPAGATION_HOST_TO_CONTAINER',
  Bidirectional: 'PROPAGATION_BIDIRECTIONAL',
}

/**
 * The mounts of a container's volumes. The error, Go's text, is why the container cannot be made
 * (`CreateContainerConfigError`). Source: pkg/kubelet/kubelet_pods.go makeMounts.
 */
export async function volumeMounts(
  container: Container,
  context: MountContext,
): Promise<Result<readonly Mount[], string>> {
  const mounts: Mount[] = []
  for (const mount of objectsAt(container, 'volumeMounts')) {
    const made = await volumeMount(mount, container.name, context)
    if (!made.ok) return made
    mounts.push(made.value)
  }
  return ok(mounts)
}

async function volumeMount(
  mount: JsonObject,
  container: string,
  context: MountContext,
): Promise<Result<Mount, string>> {
  const name = textAt(mount, 'name')
  const volume = context.volumes.get(name)
  if (volume === undefined)
    return err(`cannot find volume ${goQuote(name)} to mount into container ${goQuote(container)}`)
  const subPath = subPathOf(mount, context.envs)
  if (!subPath.ok) return subPath
  const hostPath =
    subPath.value === ''
      ? ok(volume.path)
      : await subPathOnHost({ name, container, volume, subPath: subPath.value }, context.files)
  if (!hostPath.ok) return hostPath
  const mountPath = textAt(mount, 'mountPath')
  const refusal = recursiveReadOnlyRefusal(mount)
  if (refusal !== undefined)
    return err(
      `failed to resolve recursive read-only mode: volume ${goQuote(name)} requested recursive read-only mode, but it is not ${refusal}`,
    )
  return ok({
    containerPath: mountPath.startsWith('/') ? mountPath : `/${mountPath}`,
    hostPath: hostPath.value,
    readonly: ownField(mount, 'readOnly') === true || volume.isReadOnly,
    propagation: propagations[textAt(mount, 'mountPropagation')] ?? 'PROPAGATION_PRIVATE',
  })
}

/** No runtime is asked whether it supports it. Source: resolveRecursiveReadOnly. */
function recursiveReadOnlyRefusal(mount: JsonObject): string | undefined {
  const mode = textAt(mount, 'recursiveReadOnly')
  const propagation = textAt(mount, 'mountPropagation')
  if (mode === '' || mode === 'Disabled') return undefined
  if (ownField(mount, 'readOnly') !== true) return 'read-only'
  if (propagation !== '' && propagation !== 'None')
    return `compatible with propagation ${goQuote(propagation)}`
  return mode === 'Enabled' ? 'supported by the runtime' : undefined
}

/** Empty: the whole volume. Source: pkg/kubelet/container/helpers.go ExpandContainerVolumeMounts. */
function subPathOf(mount: JsonObject, envs: MountContext['envs']): Result<string, string> {
  const expression = textAt(mount, 'subPathExpr')
  let subPath = textAt(mount, 'subPath')
  if (expression !== '') {
    const missing = new Set<string>()
    const values = new Map(envs.map(({ key, value }) => [key, value]))
    subPath = new VariableExpander({
      get: (key) => {
        const value = values.get(key) ?? ''
        if (value === '') missing.add(key)
        return value
      },
    }).expand(expression)
    if (missing.size > 0) return err(`missing value for ${[...missing].toSorted().join(', ')}`)
  }
  if (subPath.startsWith('/'))
    return err(`error SubPath \`${subPath}\` must not be an absolute path`)
  const backstep = backstepProblem(subPath)
  return backstep === undefined
    ? ok(subPath)
    : err(`unable to provision SubPath \`${subPath}\`: ${backstep}`)
}

interface SubPath {
  readonly name: string
  readonly container: string
  readonly volume: MountedVolume
  readonly subPath: string
}

/**
 * The file or folder itself, without links, so that a later change of the volume does not reach the mount; a folder is made if
 * there is nothing. Errors do not say more, because they could tell a pod of the machine's files.
 */
async function subPathOnHost(
  { name, container, volume, subPath }: SubPath,
  files: HostFiles,
): Promise<Result<string, string>> {
  const path = cleanPath(`${volume.path}/${subPath}`)
  const of = `for volumeMount ${goQuote(name)} of container ${goQuote(container)}`
  const there = await files.lstat(path)
  if (!there.ok && there.error.kind === 'not-found') {
    const folder = await files.stat(volume.path)
    if (!folder.ok) return err(folder.error.message)
    const made = await files.makeFolder(path, folder.value.mode)
    if (!made.ok) return err(`failed to create subPath directory ${of}`)
  }
  const [base, real] = [await realPath(volume.path, files), await realPath(path, files)]
  if (base === undefined || real === undefined || !`${real}/`.startsWith(`${base}/`))
    return err(`failed to prepare subPath ${of}`)
  return ok(real)
}
