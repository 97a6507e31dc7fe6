import { goQuote } from '../../../shared/go/text.ts'
import { httpError, textAnswer } from './kubelet-request.ts'
import type { KubeletRequest, KubeletText } from './kubelet-request.ts'

/** A check by its name; an error, if it has failed. */
export type HealthCheck = readonly [name: string, error?: string | undefined]

/** All checks of /healthz, /livez or /readyz, whose name is `group` (apiserver pkg/server/healthz). */
export function healthOf(
  group: string,
  checks: readonly HealthCheck[],
  query: KubeletRequest['query'],
): KubeletText {
  const excluded = query['exclude']
  const hasFailed = checks.some(([name, error]) => error !== undefined && name !== excluded)
  const lines = checks.map(([name, error]) => {
    if (name === excluded) return `[+]${name} excluded: ok`
    return error === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`
  })
  const isUnknown = excluded !== undefined && !checks.some(([name]) => name === excluded)
  const warning = `warn: some health checks cannot be excluded: no matches for ${goQuote(excluded ?? '')}`
  const text = [...lines, ...(isUnknown ? [warning] : [])].join('\n')
  if (hasFailed) return httpError(500, `${text}\n${group} check failed`)
  const body = 'verbose' in query ? `${text}\n${group} check passed\n` : 'ok'
  return { ...textAnswer(200, body), headers: { 'x-content-type-options': 'nosniff' } }
}

/** One check, or all of a kubelet. `syncLoopError`: undefined, if the loop goes round. */
export function healthz(
  check: string | undefined,
  { query }: Pick<KubeletRequest, 'query'>,
  syncLoopError: string | undefined,
): KubeletText {
  if (check !== undefined)
    return check === 'syncloop' && syncLoopError !== undefined
      ? httpError(500, `internal server error: ${syncLoopError}`)
      : textAnswer(200, 'ok')
  return healthOf('healthz', [['ping'], ['log'], ['syncloop', syncLoopError]], query)
}
