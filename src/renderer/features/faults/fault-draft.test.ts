import { describe, expect, it } from 'vitest'
import { choicesOf, faultOf, fieldsOf, firstDraft } from './fault-draft.ts'

describe('a fault as it is typed', () => {
  it('begins with values for the fields that its type needs', () => {
    expect(firstDraft('ClockSkew', ['n1'])).toEqual({ node: 'n1', skew: '2m' })
    expect(firstDraft('Outage', ['n1'])).toEqual({})
    expect(fieldsOf('WatchDrops')).toEqual(['every', 'node', 'user'])
  })

  it('has numbers and lists where the API has them, and nothing for empty fields', () => {
    const draft = { code: '503', verbs: 'create, update', share: '0.5', path: ' ', user: 'a*' }
    expect(faultOf('Error', draft)).toEqual({
      type: 'Error',
      code: 503,
      verbs: ['create', 'update'],
      share: 0.5,
      user: 'a*',
    })
    expect(faultOf('Error', { code: 'many' })).toEqual({ type: 'Error', code: 'many' })
  })

  it('keeps nothing of another type', () => {
    expect(faultOf('CutOff', { node: 'n1', latency: '2s' })).toEqual({ type: 'CutOff', node: 'n1' })
    expect(choicesOf('node', ['n1', 'n2'])).toEqual(['n1', 'n2'])
    expect(choicesOf('latency', [])).toBeUndefined()
  })
})
