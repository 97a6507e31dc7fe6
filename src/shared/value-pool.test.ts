import { describe, expect, it } from 'vitest'
import { freezeJson } from './json.ts'
import { ValuePool } from './value-pool.ts'

const pod = (name: string) => ({
  metadata: { name, labels: { app: 'web', 'pod-template-hash': '7d4b9c6f8' } },
  spec: {
    tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
    containers: [{ name: 'main', env: [{ name: 'POD', value: name }], ports: [] }],
  },
})

describe('ValuePool', () => {
  it('does not change the value', () => {
    const pool = new ValuePool()
    for (const name of ['a', 'b', 'a']) expect(pool.share(pod(name))).toEqual(pod(name))
  })

  it('makes equal parts of different objects the same ones', () => {
    const pool = new ValuePool()
    const a = pool.share(pod('a'))
    const b = pool.share(pod('b'))
    expect(b.metadata.labels).toBe(a.metadata.labels)
    expect(b.spec.tolerations).toBe(a.spec.tolerations)
    expect(b.spec.containers).not.toBe(a.spec.containers)
  })

  it.each([
    ['a text and a number', { a: '1' }, { a: 1 }],
    ['a text and null', { a: 'null' }, { a: null }],
    ['a list and an object', { a: [1] }, { a: { 0: 1 } }],
    ['one text and two', { a: ['x,y'] }, { a: ['x', 'y'] }],
    ['a name that looks like a text', { a: { 'b":"c': 'd' } }, { a: { b: 'c":"d' } }],
    ['what stands for another part', { a: { b: '#0' } }, { a: { b: { c: '12345678901' } } }],
    ['an empty list and none', { a: [] }, { a: [null] }],
    ['an absent field', { a: { b: 1 } }, { a: { b: 1, c: 1 } }],
  ])('distinguishes %s', (_, one, other) => {
    const pool = new ValuePool()
    const before = structuredClone(one)
    expect(pool.share(structuredClone(one))).toEqual(one)
    expect(pool.share(structuredClone(other))).toEqual(other)
    expect(one).toEqual(before)
  })

  it('leaves what is frozen as it is', () => {
    const pool = new ValuePool()
    pool.share(pod('a'))
    const frozen = freezeJson(pod('a'))
    expect(pool.share(frozen)).toBe(frozen)
  })

  it('keeps what is used again, however much is seen once', () => {
    const pool = new ValuePool()
    const { labels } = pool.share(pod('first')).metadata
    for (let index = 0; index < 2000; index++) pool.share(pod(`pod-with-a-name-${index}`))
    expect(pool.share(pod('last')).metadata.labels).toBe(labels)
  })

  it('forgets what is not repeated', () => {
    const pool = new ValuePool()
    const { labels } = pool.share(pod('first')).metadata
    for (let index = 0; index < 2000; index++) pool.share({ texts: [`a text of its own ${index}`] })
    expect(pool.share(pod('last')).metadata.labels).not.toBe(labels)
  })
})
