import { describe, expect, it } from 'vitest'
import { fitText, mono, plain, shortPodName, wrapText } from './layout/fit.ts'
import { arcPath, leaseSpent } from './parts/LeaseRing.tsx'
import { motionAt } from './arrows/motion.ts'
import { nextFlight } from './arrows/Arrow.tsx'

describe('a packet on an arrow', () => {
  const resting = { from: 3, to: 3, isOver: true }

  it('leaves after a move, and counts all moves since the last one', () => {
    expect(nextFlight(resting, 7, true)).toEqual({ from: 3, to: 7, isOver: false })
  })

  it('is followed by one packet for all moves during its flight', () => {
    const flying = nextFlight(resting, 4, true)
    expect(nextFlight(flying, 50, true)).toBe(flying)
    expect(nextFlight({ ...flying, isOver: true }, 50, true)).toEqual({
      from: 4,
      to: 50,
      isOver: false,
    })
  })

  it('does not count moves from before it was shown', () => {
    const still = nextFlight(resting, 90, false)
    expect(nextFlight(still, 90, true)).toBe(still)
  })

  it('starts over when the main process counts from zero again', () => {
    expect(nextFlight(resting, 1, true)).toEqual({ from: 1, to: 1, isOver: true })
  })
})

describe('the motion at a clock speed', () => {
  it.each([
    [{ paused: false, speed: 0.1, isReduced: false }, 'packets'],
    [{ paused: false, speed: 1, isReduced: false }, 'packets'],
    [{ paused: false, speed: 10, isReduced: false }, 'glow'],
    [{ paused: false, speed: 60, isReduced: false }, 'glow'],
    [{ paused: false, speed: 1000, isReduced: false }, 'counts'],
    [{ paused: false, speed: 1, isReduced: true }, 'counts'],
    [{ paused: true, speed: 1, isReduced: false }, 'still'],
  ] as const)('%o: %s', (clock, motion) => {
    expect(motionAt(clock)).toBe(motion)
  })
})

describe('the lease ring', () => {
  it('shows the share of the lease that is spent, and is full for an expired or missing lease', () => {
    expect(leaseSpent(0, 40, 10_000)).toBe(0.25)
    expect(leaseSpent(0, 40, 90_000)).toBe(1)
    expect(leaseSpent(null, 40, 0)).toBe(1)
  })

  it('runs clockwise from the top', () => {
    expect(arcPath(0, 0, 10, 0.25)).toBe('M0 -10A10 10 0 0 1 10.00 0.00'.replace(' 0.00', ' -0.00'))
  })
})

describe('names in the picture', () => {
  it('lose the hash of the template and the node first, and keep their tail', () => {
    const of = (characters: number): number => characters * 6.6
    const short = (width: number): string =>
      shortPodName('checkout-7d4b9c6f8-k2x8p', 'n', width, mono)
    expect(short(of(20))).toBe('checkout-k2x8p')
    expect(short(of(10))).toBe('chec…k2x8p')
    expect(short(of(3))).toBe('k2…')
    expect(shortPodName('web-scope-node-1', 'scope-node-1', of(10), mono)).toBe('web')
  })

  it('are cut in the middle as a last resort', () => {
    expect(fitText('kubernetes-dashboard', 66, mono)).toBe('kubern…ard')
  })

  it('wrap, and end in an ellipsis if they are cut', () => {
    expect(wrapText('its name is still used by another', 64, 2)).toEqual([
      'its name is',
      'still used …',
    ])
  })

  it.each([
    'wwwwwwww-mmmmmmmm-wwwwwwwww',
    'illi-tilt-illi-tilt-illi-tilt-illi',
    'Ünïcödé-náme-ïs-lóng',
  ])('fit their room: %s', (name) => {
    for (let width = 26; width < 200; width += 7)
      expect(plain(fitText(name, width))).toBeLessThanOrEqual(width)
  })
})
