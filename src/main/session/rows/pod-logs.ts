import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { LogPart, LogQuery, PodLogs } from '../../../shared/model/pod-logs.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace } from '../../kubelet/pod/identity.ts'
import { containerOfLog } from '../../kubelet/server/container-log-status.ts'
import type { KubeletRequest } from '../../kubelet/server/kubelet-request.ts'
import type { SessionKubelet } from '../cluster/session-node.ts'

/** As many lines as a page keeps. */
const tailLines = 100_000
/** Of one answer; the next one continues there. */
const limitBytes = 4 * 1024 * 1024

type Query = NonNullable<KubeletRequest['query']>

/** Reads a container's log with the options of pods/log. The error is one sentence. */
export type ReadLog = (pod: Pod, container: string, query: Query) => Promise<Result<string, string>>

/** From the kubelet's own server. */
export function readFromKubelet({ server }: Pick<SessionKubelet, 'server'>): ReadLog {
  return async (pod, container, query) => {
    const path = `/containerLogs/${podNamespace(pod)}/${pod.metadata.name}/${container}`
    const answer = await server.handle({ method: 'GET', path, query })
    if (answer.kind === 'text') return err(answer.body)
    let text = ''
    for await (const chunk of answer.stream.chunks) text += chunk
    return ok(text)
  }
}

/** A kubelet that finds only after its 200 that it has no log writes why in place of it. Each line of a log begins with its time. */
function isSentence(text: string): boolean {
  return text.trim() !== '' && !/^\d{4}-\d\d-\d\dT/.test(text)
}

/**
 * The log of a container, as `kubectl logs --timestamps` gets it. `status`: the newest that is known. A reader that follows
 * names the end of what it has, and gets the rest of that container too after a restart.
 */
export async function podLogs(
  readLog: ReadLog,
  { pod, status }: { readonly pod: Pod; readonly status: PodStatus },
  { container, previous, sinceSeconds, after }: LogQuery,
): Promise<PodLogs> {
  const { name } = pod.metadata
  const read: ReadLog = async (of, named, query) => {
    const asked = { timestamps: 'true', limitBytes: String(limitBytes), ...query }
    const answer = await readLog(of, named, asked)
    return answer.ok && isSentence(answer.value) ? err(answer.value.trim()) : answer
  }
  const found = containerOfLog(name, status, container, { previous })
  if (!found.ok) return { parts: [], error: found.error }
  const parts: LogPart[] = []
  const since = after === null ? {} : { sinceTime: new Date(after.at).toISOString() }
  if (after !== null && after.containerId !== found.value) {
    const before = containerOfLog(name, status, container, { previous: true })
    const rest =
      before.ok && before.value === after.containerId
        ? await read(pod, container, { ...since, previous: 'true' })
        : err('')
    if (rest.ok) parts.push({ containerId: after.containerId, text: rest.value })
  }
  const isSame = after !== null && after.containerId === found.value
  const seconds = sinceSeconds === null ? {} : { sinceSeconds: String(sinceSeconds) }
  const whole = { ...(after === null ? seconds : {}), tailLines: String(tailLines) }
  const text = await read(pod, container, {
    ...(isSame ? since : whole),
    ...(previous ? { previous: 'true' } : {}),
  })
  if (!text.ok) return { parts, error: text.error }
  return { parts: [...parts, { containerId: found.value, text: text.value }], error: '' }
}
