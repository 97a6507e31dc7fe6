import type { ImageService, RuntimeError, RuntimeService } from '../../src/main/kubelet/ports.ts'
import { grpcStatusOf } from '../../src/main/cri/grpc-errors.ts'
import type { Result } from '../../src/shared/result.ts'

export type RuntimePorts = RuntimeService & ImageService

/** Throws the error of a call that has to work. */
export function valueOf<T>(result: Result<T, RuntimeError>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** The fields of the port: a listing may hold more. Its image may be as it was asked for, or as the runtime names it. */
const listed = {
  sandbox: ['id', 'metadata', 'state', 'createdAt', 'labels', 'annotations'],
  container: [
    'id',
    'podSandboxId',
    'name',
    'attempt',
    'state',
    'imageRef',
    'createdAt',
    'labels',
    'annotations',
  ],
} as const

function onlyFields(kind: keyof typeof listed, items: readonly object[]): readonly unknown[] {
  const fields: ReadonlySet<string> = new Set(listed[kind])
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([key]) => fields.has(key))),
  )
}

const timeFields: ReadonlySet<string> = new Set([
  'createdAt',
  'startedAt',
  'finishedAt',
  'timestamp',
])

/** Times as whether there is one; an error by its gRPC status. */
export function comparable(answer: unknown, key = ''): unknown {
  // Of a container that has just started it may be 0.
  if (key === 'usageCoreNanoSeconds') return 'a duration'
  if (timeFields.has(key)) return answer === 0 ? 'none' : 'a time'
  if (Array.isArray(answer)) return answer.map((item: unknown) => comparable(item))
  if (typeof answer !== 'object' || answer === null) return answer
  const entries: readonly (readonly [string, unknown])[] = Object.entries(answer)
  return Object.fromEntries(entries.map(([name, value]) => [name, comparable(value, name)]))
}

type Step = readonly [what: string, answer: unknown]

/** What a runtime answers to the calls of a case, one after the other. */
export class Answers {
  readonly steps: Step[] = []

  async of<T>(
    what: string,
    call: Promise<Result<T, RuntimeError>>,
  ): Promise<Result<T, RuntimeError>> {
    const result = await call
    this.steps.push([what, result.ok ? { value: result.value } : grpcStatusOf(result.error)])
    return result
  }

  async listOf(
    kind: keyof typeof listed,
    what: string,
    call: Promise<Result<readonly object[], RuntimeError>>,
  ): Promise<void> {
    this.steps.push([what, onlyFields(kind, valueOf(await call))])
  }
}
