import { describe, expect, it } from 'vitest'
import type { BehaviorChange, BehaviorFacts } from './behavior-act.ts'
import { startedReadOnly } from './forecast/read-only.ts'
import { forecastBehavior } from './behavior-act.ts'
import { apiPod, staticPod } from './forecast/fake-act-facts.ts'

const facts: BehaviorFacts = {
  pod: apiPod,
  source: 'api',
  behavior: { 'simulated.nodescope.dev/probes.c': 'fail' },
}
const change: BehaviorChange = { name: 'probes', container: 'c', value: 'fail after 30s' }

describe('a change of the behavior of a container', () => {
  it('takes effect at once where the runtime follows the annotation', () => {
    expect(forecastBehavior(facts, change)).toMatchObject({
      isAllowed: true,
      takesEffect: 'atOnce',
      annotation: 'simulated.nodescope.dev/probes.c: fail after 30s',
      line: "kubectl annotate pod -n default loud --overwrite 'simulated.nodescope.dev/probes.c=fail after 30s'",
    })
  })

  it('takes effect at the next start where the container reads it then', () => {
    const { takesEffect, summary } = forecastBehavior(facts, {
      ...change,
      name: 'exit-code',
      value: '3',
    })
    expect(takesEffect).toBe('atNextStart')
    expect(summary).toContain('at the next start of the container')
  })

  it('is taken back with a minus', () => {
    expect(forecastBehavior(facts, { ...change, value: null })).toMatchObject({
      isAllowed: true,
      line: 'kubectl annotate pod -n default loud simulated.nodescope.dev/probes.c-',
    })
    expect(forecastBehavior(facts, { ...change, container: '', value: null }).refusal).toBe(
      'It is not set.',
    )
  })

  it('makes another pod of a static one', () => {
    const { takesEffect, summary, line } = forecastBehavior(
      { ...facts, pod: staticPod, source: 'file' },
      change,
    )
    expect(takesEffect).toBe('inAnotherPod')
    expect(summary).toContain('another pod with a new UID')
    expect(line).toContain('metadata.annotations in the manifest')
  })

  it.each<readonly [Partial<BehaviorFacts>, string]>([
    [{ behavior: null }, 'The containers of this node are real: no annotation changes them.'],
    [{ pod: { ...apiPod, readOnly: startedReadOnly } }, startedReadOnly],
    [
      { pod: staticPod, source: 'http' },
      'The manifest of this pod comes from a URL, so only its server can change it.',
    ],
    [
      { pod: { ...apiPod, apiServerReachable: false } },
      'The API server does not answer now, and only it can change the pod.',
    ],
    [
      { pod: { ...apiPod, hasApiObject: false } },
      'The API object is deleted already, so it takes no annotation.',
    ],
  ])('is refused: %o', (part, refusal) => {
    expect(forecastBehavior({ ...facts, ...part }, change)).toMatchObject({
      isAllowed: false,
      refusal,
    })
  })
})
