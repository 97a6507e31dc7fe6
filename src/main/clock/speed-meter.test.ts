import { describe, expect, it } from 'vitest'
import { SpeedMeter } from './speed-meter.ts'

describe('SpeedMeter', () => {
  it('is null before a quarter of a second has passed', () => {
    const meter = new SpeedMeter()
    expect(meter.read({ real: 0, virtual: 0 })).toBeNull()
    meter.reset({ real: 0, virtual: 0 })
    expect(meter.read({ real: 200, virtual: 200_000 })).toBeNull()
    expect(meter.read({ real: 250, virtual: 15_000 })).toBe(60)
  })

  it('uses the last second only', () => {
    const meter = new SpeedMeter()
    meter.reset({ real: 0, virtual: 0 })
    for (let real = 10; real <= 5000; real += 10) meter.note({ real, virtual: real * 1000 })
    for (let real = 5010; real <= 7000; real += 10)
      meter.note({ real, virtual: 5_000_000 + (real - 5000) * 60 })
    expect(meter.read({ real: 7000, virtual: 5_120_000 })).toBe(60)
  })

  it('uses the last reading when there is no newer one', () => {
    const meter = new SpeedMeter()
    meter.reset({ real: 0, virtual: 0 })
    expect(meter.read({ real: 9000, virtual: 9000 })).toBe(1)
  })

  it('starts over after a reset', () => {
    const meter = new SpeedMeter()
    meter.reset({ real: 0, virtual: 0 })
    meter.note({ real: 1000, virtual: 1_000_000 })
    meter.reset({ real: 1000, virtual: 1_000_000 })
    expect(meter.read({ real: 2000, virtual: 1_001_000 })).toBe(1)
  })
})
