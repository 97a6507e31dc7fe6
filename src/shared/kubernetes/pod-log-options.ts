import { isOn, parseInteger } from '../go/query.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { timeProblem } from './schema/go-values.ts'
import { forbiddenField, invalidField, problemIf } from './validation/field-problem.ts'
import type { FieldProblem } from './validation/field-problem.ts'

/** What a log is narrowed to (v1 PodLogOptions). There is no choice of a stream: the gate PodLogsQuerySplitStreams is off. */
export interface PodLogOptions {
  readonly follow: boolean
  readonly previous: boolean
  readonly timestamps: boolean
  /** ms since the epoch. */
  readonly sinceTime: number | undefined
  readonly sinceSeconds: number | undefined
  readonly tailLines: number | undefined
  readonly limitBytes: number | undefined
}

type Query = Readonly<Record<string, string>>

/** Reads the options of a query. The error is Go's. */
export function podLogOptions(query: Query): Result<PodLogOptions, string> {
  const numbers: Record<string, number | undefined> = {}
  for (const name of ['sinceSeconds', 'tailLines', 'limitBytes']) {
    const text = query[name]
    if (text === undefined) continue
    const number = parseInteger(text)
    if (!number.ok) return number
    numbers[name] = number.value
  }
  const sinceTime = query['sinceTime'] ?? ''
  const hasTime = sinceTime !== '' && sinceTime !== 'null'
  const problem = hasTime ? timeProblem(sinceTime) : undefined
  if (problem !== undefined) return err(problem)
  return ok({
    follow: isOn(query['follow']),
    previous: isOn(query['previous']),
    timestamps: isOn(query['timestamps']),
    sinceTime: hasTime ? Date.parse(sinceTime) : undefined,
    sinceSeconds: numbers['sinceSeconds'],
    tailLines: numbers['tailLines'],
    limitBytes: numbers['limitBytes'],
  })
}

/** Source: pkg/apis/core/validation ValidatePodLogOptions. */
export function podLogOptionsProblems(
  { sinceSeconds, sinceTime, tailLines, limitBytes }: PodLogOptions,
  stream?: string,
): readonly FieldProblem[] {
  const positive = 'must be greater than 0'
  const hasBoth = sinceSeconds !== undefined && sinceTime !== undefined
  return [
    ...problemIf(
      tailLines !== undefined && tailLines < 0,
      invalidField('tailLines', tailLines, 'must be greater than or equal to 0'),
    ),
    ...problemIf(
      limitBytes !== undefined && limitBytes < 1,
      invalidField('limitBytes', limitBytes, positive),
    ),
    ...problemIf(
      hasBoth,
      forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'),
    ),
    ...problemIf(
      !hasBoth && sinceSeconds !== undefined && sinceSeconds < 1,
      invalidField('sinceSeconds', sinceSeconds, positive),
    ),
    ...problemIf(stream !== undefined, forbiddenField('stream', 'may not be specified')),
  ]
}
