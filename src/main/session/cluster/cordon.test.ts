import { describe, expect, it } from 'vitest'
import type { ApiClient } from '../../kubelet/ports.ts'
import { err, ok } from '../../../shared/result.ts'
import { cordonNode } from './cordon.ts'

const node = { name: 'n1', isUnschedulable: false, readOnly: '' }

/** An API server that takes every patch, or refuses it. */
function fakeApi(refusal?: { readonly code: number; readonly message: string }) {
  const patches: unknown[] = []
  const patch = ((target: unknown, body: unknown) => {
    patches.push([target, body])
    return Promise.resolve(
      refusal === undefined ? ok({}) : err({ kind: 'forbidden', reason: 'Forbidden', ...refusal }),
    )
  }) as unknown as ApiClient['patch'] // the answer's object is not read
  return { patches, api: { patch } }
}

describe('cordoning a node', () => {
  it('patches the Node as kubectl cordon does, and names the cluster', async () => {
    const { api, patches } = fakeApi()
    expect(await cordonNode(api, 'cordon', node, ' on prod')).toEqual(
      ok({ message: 'Cordoned n1 on prod' }),
    )
    expect(patches).toEqual([
      [
        { resource: 'nodes', name: 'n1' },
        { type: 'strategic', body: { spec: { unschedulable: true } } },
      ],
    ])
  })

  it('sends nothing if it is cordoned already, or may not be changed', async () => {
    const { api, patches } = fakeApi()
    expect(await cordonNode(api, 'cordon', { ...node, isUnschedulable: true })).toEqual(
      err({ kind: 'refused', message: 'n1 is cordoned already.' }),
    )
    expect(await cordonNode(api, 'cordon', { ...node, readOnly: 'No changes.' })).toEqual(
      err({ kind: 'read-only', message: 'No changes.' }),
    )
    expect(patches).toEqual([])
  })

  it('says in a sentence why the API server refuses it', async () => {
    const { api } = fakeApi({ code: 403, message: 'nodes "n1" is forbidden' })
    const answer = await cordonNode(api, 'uncordon', { ...node, isUnschedulable: true })
    expect(answer).toMatchObject({ ok: false, error: { kind: 'failed' } })
    expect(!answer.ok && answer.error.message).toMatch(/^Uncordon .*nodes "n1" is forbidden/)
  })
})
