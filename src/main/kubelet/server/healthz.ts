import { goQuote } from '../../../shared/go/text.ts'
import { httpError, textAnswer } from './kubelet-request.ts'
import type { KubeletRequest, KubeletText } from './kubelet-request.ts'

const names = ['ping', 'log', 'syncloop'] as const

/** One check, or all of them (apiserver pkg/server/healthz). `syncLoopError`: undefined, if the loop goes round. */
export function healthz(
  check: string | undefined,
  { query }: Pick<KubeletRequest, 'query'>,
  syncLoopError: string | undefined,
): KubeletText {
  if (check !== undefined)
    return check === 'syncloop' && syncLoopError !== undefined
      ? httpError(500, `internal server error: ${syncLoopError}`)
      : textAnswer(200, 'ok')
  const excluded = query['exclude']
  const hasFailed = syncLoopError !== undefined && excluded !== 'syncloop'
  const lines = names.map((name) => {
    if (name === excluded) return `[+]${name} excluded: ok`
    return name === 'syncloop' && hasFailed ? `[-]${name} failed: reason withheld` : `[+]${name} ok`
  })
  const isUnknown = excluded !== undefined && !names.some((name) => name === excluded)
  const warning = `warn: some health checks cannot be excluded: no matches for ${goQuote(excluded ?? '')}`
  const text = [...lines, ...(isUnknown ? [warning] : [])].join('\n')
  if (hasFailed) return httpError(500, `${text}\nhealthz check failed`)
  const body = 'verbose' in query ? `${text}\nhealthz check passed\n` : 'ok'
  return { ...textAnswer(200, body), headers: { 'x-content-type-options': 'nosniff' } }
}
