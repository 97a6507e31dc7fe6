import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { apiPod, staticPod } from './fake-act-facts.ts'
import {
  cordonForecast,
  nodeRowsLines,
  podRowForecast,
  podRowsLines,
  sharedBudgets,
} from './rows-forecast.ts'

describe('the forecast of one of several rows', () => {
  it('says what happens to the object and when SIGKILL is due', () => {
    expect(podRowForecast('delete', apiPod)).toEqual({
      refusal: '',
      outcome: 'object gone; SIGKILL after 30 s at the latest',
      isBlocked: false,
    })
  })

  it('has the refusal of the act on one pod', () => {
    expect(podRowForecast('delete', staticPod).refusal).toContain('remove its manifest')
    expect(podRowForecast('delete', { ...apiPod, readOnly: 'No changes.' }).refusal).toBe(
      'No changes.',
    )
  })

  it('says what the API server would refuse, which is asked nevertheless', () => {
    const budget = { kind: 'refuses', name: 'p', code: 429, why: 'it needs 2 pods' } as const
    const forecast = podRowForecast('evictThroughApi', { ...apiPod, budget })
    expect(forecast).toMatchObject({ refusal: '', isBlocked: true })
    expect(forecast.outcome).toContain('refuses it now (429')
  })

  it.each([
    ['cordon', false, ''],
    ['cordon', true, 'n1 is cordoned already.'],
    ['uncordon', false, 'n1 is uncordoned already.'],
    ['uncordon', true, ''],
  ] as const)('of %s of a node that is cordoned: %s', (act, isUnschedulable, refusal) => {
    expect(cordonForecast(act, { name: 'n1', isUnschedulable, readOnly: '' }).refusal).toBe(refusal)
  })

  it('of a cordon is refused while the cluster is read-only', () => {
    const facts = { name: 'n1', isUnschedulable: false, readOnly: 'No changes.' }
    expect(cordonForecast('cordon', facts).refusal).toBe('No changes.')
  })
})

describe('several evictions', () => {
  const covered = { ...apiPod, budget: { kind: 'allows', name: 'web' } } as const

  it('name the budget that they share, because each forecast is for one', () => {
    expect(sharedBudgets('evictThroughApi', [covered, covered, apiPod])).toEqual([
      'PodDisruptionBudget default/web covers 2 of these pods. Each forecast is for one eviction; after the first, the budget may refuse the others.',
    ])
  })

  it('of one pod of a budget, and deletions, which ask no budget, name none', () => {
    expect(sharedBudgets('evictThroughApi', [covered, apiPod])).toEqual([])
    expect(sharedBudgets('delete', [covered, covered])).toEqual([])
  })
})

describe('the kubectl lines of several rows', () => {
  const pods = [
    { namespace: 'default', name: 'a' },
    { namespace: 'kube-system', name: 'b' },
    { namespace: 'default', name: 'c' },
  ]

  it('delete by namespace', () => {
    expect(podRowsLines('delete', pods, 'my prod')).toEqual([
      "kubectl --context 'my prod' delete pod -n default a c",
      "kubectl --context 'my prod' delete pod -n kube-system b",
    ])
  })

  it('delete by force with both flags', () => {
    expect(podRowsLines('forceDelete', pods.slice(0, 1), '')).toEqual([
      'kubectl delete pod --force --grace-period=0 -n default a',
    ])
  })

  it('evict one by one; a shell writes the name into body and path', () => {
    const [line = ''] = podRowsLines('evictThroughApi', pods.slice(0, 1), '')
    const shown = line.replace('kubectl create', 'cat; echo create')
    expect(execFileSync('sh', ['-c', shown], { encoding: 'utf8' })).toBe(
      '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"default","name":"a"}}\ncreate --raw /api/v1/namespaces/default/pods/a/eviction -f -\n',
    )
  })

  it('cordon all nodes with one line', () => {
    expect(nodeRowsLines('cordon', ['n1', 'n2'], '')).toEqual(['kubectl cordon n1 n2'])
    expect(nodeRowsLines('cordon', [], '')).toEqual([])
  })
})
