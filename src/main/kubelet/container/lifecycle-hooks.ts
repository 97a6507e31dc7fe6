import type { Container } from '../../../shared/kubernetes/objects.ts'
import type { Clock } from '../ports.ts'
import { sleep } from './deferred.ts'

/** A container's hook. Only sleeping is carried out; what needs a process or a network in the container is not. */
export type LifecycleHook =
  | { readonly kind: 'sleep'; readonly seconds: number }
  | { readonly kind: 'notRun'; readonly handler: string }

function property(value: unknown, name: string): unknown {
  // Read by name from JSON of unknown shape; a missing property is undefined.
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** The hook of that name; undefined when the container has none. */
export function lifecycleHookOf(
  container: Container,
  name: 'postStart' | 'preStop',
): LifecycleHook | undefined {
  const handler = property(container.lifecycle, name)
  if (typeof handler !== 'object' || handler === null) return undefined
  const seconds = property(property(handler, 'sleep'), 'seconds')
  if (typeof seconds === 'number') return { kind: 'sleep', seconds }
  return { kind: 'notRun', handler: Object.keys(handler).join(', ') }
}

/** Carries out a sleep on the clock, for at most so many ms; a hook that is not run takes no time. */
export async function runLifecycleHook(
  hook: LifecycleHook,
  clock: Clock,
  maxMs: number,
): Promise<void> {
  if (hook.kind === 'notRun') return
  await sleep(clock, Math.min(hook.seconds * 1000, maxMs))
}
