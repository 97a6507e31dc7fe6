import { describe, expect, it } from 'vitest'
import { differencesOf } from './random/end-states.ts'

const nothing: ReadonlySet<string> = new Set()

describe('end states of both kubelets', () => {
  it('differ where one has another state, or none', () => {
    const ours = new Map([
      ['default/a', 'Running'],
      ['default/b', 'Running'],
      ['runtime default/b', 'a sandbox'],
    ])
    const real = new Map([
      ['default/a', 'Running'],
      ['default/b', 'Failed'],
    ])
    expect(differencesOf(ours, real, nothing)).toEqual([
      { what: 'default/b', ours: 'Running', real: 'Failed' },
      { what: 'runtime default/b', ours: 'a sandbox', real: 'nothing' },
    ])
  })

  it('are not compared for pods of which the servers have said different things', () => {
    const ours = new Map([
      ['default/a', 'Running'],
      ['runtime default/a', 'a sandbox'],
    ])
    expect(differencesOf(ours, new Map(), new Set(['default/a']))).toEqual([])
  })
})
