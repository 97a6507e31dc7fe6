import type { KubeletProblem, RightNeeded } from '../../../shared/model/inspect/kubelet-facts.ts'

/** What a kubelet answered. */
export interface KubeletAnswer {
  readonly status: number
  readonly body: string
}

/** `subresource(s)=[pods proxy]` of a 403: the first that would have been enough. */
function rightOf(body: string): RightNeeded | undefined {
  const [, subresources] = /subresource\(s\)=\[([^\]]*)\]/.exec(body) ?? []
  const [first] = (subresources ?? '').split(' ').filter((one) => one !== '')
  if (first !== undefined)
    return { verb: 'get', resource: `nodes/${first}`, isBroad: first === 'proxy' }
  // Kubelets before 1.31 name one subresource: `subresource=proxy`. The API server: resource "nodes/proxy".
  const [, one] =
    /\bsubresource=([a-z]+)|resource \\?"nodes\/([a-z]+)\\?"/.exec(body)?.filter(Boolean) ?? []
  if (one === undefined) return undefined
  return { verb: 'get', resource: `nodes/${one}`, isBroad: one === 'proxy' }
}

function refusal(path: string, { status, body }: KubeletAnswer): KubeletProblem | undefined {
  if (status === 401)
    return {
      kind: 'unauthorized',
      message: `${path}: the kubelet does not accept the credential (401 Unauthorized). Its webhook authentication may be off.`,
    }
  if (status !== 403) return undefined
  const right = rightOf(body)
  const missing = right === undefined ? '' : `: get ${right.resource} is missing`
  return {
    kind: 'missing-right',
    message: `${path}: refused (403)${missing}.`,
    ...(right === undefined ? {} : { right }),
  }
}

/** The problem of an answer; undefined for a good one. */
export function problemOf(path: string, answer: KubeletAnswer): KubeletProblem | undefined {
  const { status, body } = answer
  if (status >= 200 && status < 300) return undefined
  const refused = refusal(path, answer)
  if (refused !== undefined) return refused
  if (status === 404 || status === 405)
    return { kind: 'not-served', message: `${path}: this kubelet does not serve it (${status}).` }
  if (status >= 300 && status < 400)
    return {
      kind: 'away',
      message: `${path}: answered with a redirect (${status}), which is not followed.`,
    }
  const text = body.trim().slice(0, 200)
  if (/connection refused/.test(body))
    return { kind: 'refused', message: `${path}: nothing listens on the kubelet’s port.` }
  // Through the API server, 502 to 504 are its own.
  const kind = status >= 502 && status <= 504 ? 'away' : 'unhealthy'
  return { kind, message: `${path}: ${status}${text === '' ? '' : ` ${text}`}` }
}
