import { parse } from 'yaml'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { ApiClient, Log } from '../../kubelet/ports.ts'
import type { Assets } from '../assets.ts'

/** Creates the ordinary pods of a new sandbox. Logs a refused pod and continues. */
export async function createFirstPods(
  admin: Pick<ApiClient, 'create'>,
  assets: Assets,
  log: Log,
): Promise<void> {
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
