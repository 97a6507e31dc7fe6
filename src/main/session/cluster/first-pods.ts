import { parse } from 'yaml'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { ApiClient, Log } from '../../kubelet/ports.ts'
import type { Assets } from '../assets.ts'

const tries = 100
const tryMs = 20

/** The scheduler looks only a second or more later again at pods that it has seen before there was a node. */
async function nodeIsThere(admin: Pick<ApiClient, 'list'>): Promise<void> {
  for (let count = 0; count < tries; count += 1) {
    const nodes = await admin.list({ resource: 'nodes' })
    if (nodes.ok && nodes.value.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, tryMs))
  }
}

/** Creates the ordinary pods of a new sandbox when it has a node. Logs a refused pod and continues. */
export async function createFirstPods(
  admin: Pick<ApiClient, 'create' | 'list'>,
  assets: Assets,
  log: Log,
): Promise<void> {
  await nodeIsThere(admin)
  const folder = 'manifests/pods'
  for (const name of await assets.list(folder)) {
    const pod: unknown = parse(await assets.readText(`${folder}/${name}`))
    if (!isJsonObject(pod)) continue
    const namespace = textAt(objectAt(pod, 'metadata'), 'namespace') || 'default'
    // The file ships with the program: it is a pod.
    const answer = await admin.create({ resource: 'pods', namespace }, pod as unknown as Pod)
    if (!answer.ok) log.error('an example pod was refused', { name, error: answer.error.message })
  }
}
