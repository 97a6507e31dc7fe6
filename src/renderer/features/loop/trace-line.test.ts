import { describe, expect, it } from 'vitest'
import { tracePath, traceWindowMs } from './trace-line.ts'

const place = { now: 1_000_000, width: 160, base: 17 }

describe('the trace line of the sync loop', () => {
  it('is a flat line while the loop does nothing', () => {
    expect(tracePath([], place)).toBe('M0 17H160')
  })

  it('draws a peak for each iteration, higher for a rarer kind', () => {
    const at = place.now - traceWindowMs / 2
    expect(tracePath([{ seq: 1, at, input: 'config', text: '' }], place)).toBe(
      'M0 17H80.0V5.5H81.6V17H160',
    )
    expect(tracePath([{ seq: 1, at, input: 'sync', text: '' }], place)).toContain('V13.0')
  })

  it('draws from the oldest to the newest, and the higher of two peaks at one position', () => {
    const path = tracePath(
      [
        { seq: 3, at: place.now - 1000, input: 'sync', text: '' },
        { seq: 2, at: place.now - 15_000, input: 'sync', text: '' },
        { seq: 1, at: place.now - 15_001, input: 'config', text: '' },
      ],
      place,
    )
    expect(path).toBe('M0 17H80.0V5.5H81.6V17H155.2V13.0H156.8V17H160')
  })

  it('omits iterations from before its time span or after the clock', () => {
    expect(
      tracePath(
        [
          { seq: 2, at: place.now + 5000, input: 'sync', text: '' },
          { seq: 1, at: place.now - traceWindowMs - 1000, input: 'sync', text: '' },
        ],
        place,
      ),
    ).toBe('M0 17H160')
  })
})
