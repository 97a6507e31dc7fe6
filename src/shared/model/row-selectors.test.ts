import { describe, expect, it } from 'vitest'
import type { Pod } from '../kubernetes/objects.ts'
import type { PodRow } from './pod-row.ts'
import { nodeSelector, noSelectors, podSelectable, podSelector } from './row-selectors.ts'

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u', labels: { app: 'web', tier: 'front' } },
  spec: { nodeName: 'n1', restartPolicy: 'Never', containers: [] },
  status: { phase: 'Running', podIP: '10.0.0.1' },
}

/** Only what a selector reads of a row. */
function rowOf(of: Pod, node = 'n1'): PodRow {
  const { name, namespace = '' } = of.metadata
  return { name, namespace, node, ...podSelectable(of, node) } as PodRow
}

function isSelected(row: PodRow, labels: string, fields: string): boolean {
  const selector = podSelector({ labels, fields })
  if (!selector.ok) throw new Error(JSON.stringify(selector.error))
  return selector.value(row)
}

describe('what a row has for selectors', () => {
  it('leaves out fields that are usual or in the row anyway', () => {
    expect(podSelectable(pod, 'n1')).toEqual({
      labels: { app: 'web', tier: 'front' },
      fields: {
        'spec.restartPolicy': 'Never',
        'spec.schedulerName': '',
        'spec.serviceAccountName': '',
        'status.podIP': '10.0.0.1',
      },
    })
  })

  it('has the node of a pod whose node is not one of the cluster here', () => {
    expect(podSelectable(pod, '').fields).toMatchObject({ 'spec.nodeName': 'n1' })
  })
})

describe('the selectors of the table of pods', () => {
  it.each([
    ['', '', true],
    ['app=web', '', true],
    ['app=web,tier!=front', '', false],
    ['app in (web, db)', 'status.phase=Running', true],
    ['!app', '', false],
    ['', 'metadata.name=web,metadata.namespace=shop', true],
    ['', 'spec.nodeName=n1', true],
    ['', 'spec.nodeName!=n1', false],
    ['', 'spec.restartPolicy=Never', true],
    ['', 'spec.hostNetwork=false', true],
    ['', 'status.podIP=10.0.0.1', true],
    ['', 'status.phase!=Running', false],
    ['', 'status.nominatedNodeName=', true],
  ])('-l %j --field-selector %j', (labels, fields, expected) => {
    expect(isSelected(rowOf(pod), labels, fields)).toBe(expected)
  })

  it('select a pod by the node that it is bound to, also if that node is not here', () => {
    expect(isSelected(rowOf(pod, ''), '', 'spec.nodeName=n1')).toBe(true)
  })

  it('say which of them cannot be read', () => {
    expect(podSelector({ labels: 'a in', fields: 'spec.x=1' })).toEqual({
      ok: false,
      error: {
        labels: "unable to parse requirement: found '' expected: '('",
        fields: 'field label not supported: spec.x',
      },
    })
    expect(podSelector(noSelectors).ok).toBe(true)
  })
})

describe('the selectors of the table of nodes', () => {
  const node = { name: 'n1', labels: { zone: 'a' }, isUnschedulable: true }

  it.each([
    ['zone=a', '', true],
    ['zone notin (a)', '', false],
    ['', 'metadata.name=n1', true],
    ['', 'spec.unschedulable=true', true],
    ['', 'spec.unschedulable!=true', false],
  ])('-l %j --field-selector %j', (labels, fields, expected) => {
    const selector = nodeSelector({ labels, fields })
    expect(selector.ok && selector.value(node)).toBe(expected)
  })

  it('refuse fields of pods', () => {
    expect(nodeSelector({ labels: '', fields: 'spec.nodeName=n1' })).toEqual({
      ok: false,
      error: { fields: 'field label not supported: spec.nodeName' },
    })
  })
})
