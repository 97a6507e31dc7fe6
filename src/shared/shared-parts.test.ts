import { describe, expect, it } from 'vitest'
import { withPartsOf } from './shared-parts.ts'

const status = () => ({
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'Initialized', status: 'True' },
  ],
  podIPs: [{ ip: '10.244.0.7' }],
})

describe('withPartsOf', () => {
  it('is the known value where nothing differs', () => {
    const known = status()
    expect(withPartsOf(status(), known)).toBe(known)
  })

  it('keeps its value, with the equal parts of the known value', () => {
    const known = status()
    const value = { ...status(), phase: 'Failed', reason: 'Evicted' }
    const shared = withPartsOf(structuredClone(value), known)
    expect(shared).toEqual(value)
    expect(shared.conditions).toBe(known.conditions)
    expect(shared.podIPs).toBe(known.podIPs)
  })

  it('takes the equal entries of a list that differs', () => {
    const known = status()
    const value = status()
    const changed = {
      ...value,
      conditions: [{ type: 'Ready', status: 'False' }, value.conditions[1]],
    }
    const shared = withPartsOf(structuredClone(changed), known)
    expect(shared).toEqual(changed)
    expect(shared.conditions[1]).toBe(known.conditions[1])
  })

  it('replaces parts in place, and leaves what is known as it is', () => {
    const known = Object.freeze({ ...status(), foreign: 1 })
    const value = { ...status(), phase: 'Failed' }
    expect(withPartsOf(value, known)).toBe(value)
    expect(value.conditions).toBe(known.conditions)
    expect(known).toEqual({ ...status(), foreign: 1 })
  })

  it('leaves what is frozen as it is', () => {
    const value = Object.freeze({ ...status(), phase: 'Failed' })
    const { conditions } = value
    expect(withPartsOf(value, status())).toBe(value)
    expect(value.conditions).toBe(conditions)
  })

  it.each([
    ['a list and an object', [1], { 0: 1 }],
    ['null', { a: null }, { a: { b: 1 } }],
    ['nothing known', { a: [1] }, undefined],
  ])('keeps its own where the other is something else: %s', (_, value, known) => {
    expect(withPartsOf(value, known)).toEqual(value)
  })
})
