import { describe, expect, it } from 'vitest'
import { flowArrow } from './flow.ts'
import type { TraceEvent, TraceInput } from './trace-event.ts'

function event(input: Pick<TraceInput, 'kind' | 'data'>): TraceEvent {
  const subject = { kind: 'pod', uid: 'u', namespace: 'default', name: 'web' } as const
  const around = { subject, causes: [], seq: 1, at: 0, cluster: 'sandbox', node: 'n' }
  // Kind and data come as a pair; only their union loses it.
  return { ...input, ...around } as TraceEvent
}

function hook(name: 'postStart' | 'preStop'): readonly (string | undefined)[] {
  const about = { container: 'app', hook: name }
  return [
    flowArrow(event({ kind: 'hook.started', data: { ...about, handler: 'exec' } })),
    flowArrow(event({ kind: 'hook.ended', data: { ...about, failed: true, durationMs: 5 } })),
  ]
}

describe('the arrow of an event', () => {
  it('is that of the start for a postStart hook, and that of the stop for a preStop hook', () => {
    expect(new Set(hook('postStart'))).toEqual(new Set(['podWorkers-runtime-start']))
    expect(new Set(hook('preStop'))).toEqual(new Set(['podWorkers-runtime-stop']))
  })

  it('is that of the source that has sent pods', () => {
    const data = { source: 'http', op: 'ADD', mirror: false } as const
    expect(flowArrow(event({ kind: 'config.merged', data }))).toBe('http-podConfig')
  })

  it('leads from the image manager: to the runtime for a pull, to the workers for its outcome', () => {
    const about = { container: 'app', image: 'app:1' }
    const arrows = [
      flowArrow(event({ kind: 'image.pulling', data: about })),
      flowArrow(event({ kind: 'image.pulled', data: { ...about, durationMs: 5, present: false } })),
      flowArrow(event({ kind: 'image.failed', data: { ...about, message: 'not found' } })),
    ]
    expect(arrows).toEqual([
      'imageManager-runtime',
      'imageManager-podWorkers',
      'imageManager-podWorkers',
    ])
  })

  it('is none for what happens inside one part', () => {
    expect(flowArrow(event({ kind: 'worker.started', data: { sinceSeenMs: 0 } }))).toBeUndefined()
  })
})
