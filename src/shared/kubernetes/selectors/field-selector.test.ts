import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { fieldSelector } from './field-selector.ts'
import {
  eventFields,
  metaFields,
  namespaceFields,
  nodeFields,
  podFields,
} from './selectable-fields.ts'

const fieldsOf = {
  pods: podFields,
  nodes: nodeFields,
  namespaces: namespaceFields,
  events: eventFields,
}

function selects(plural: string, selector: string, object: JsonObject): boolean | string {
  const own = Object.entries(fieldsOf).find(([kind]) => kind === plural)?.[1]
  const matcher = fieldSelector(selector, own ?? metaFields, own !== undefined)
  return matcher.ok ? matcher.value(object) : matcher.error
}

const web: JsonObject = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { nodeName: 'n1', restartPolicy: 'Always', serviceAccountName: 'default' },
  status: { phase: 'Running', podIP: '10.0.0.1' },
}

describe('a field selector', () => {
  it.each<[string, string, JsonObject, boolean]>([
    ['pods', '', web, true],
    ['pods', 'metadata.name=web', web, true],
    ['pods', 'metadata.name==web', web, true],
    ['pods', 'metadata.name!=web', web, false],
    ['pods', 'metadata.namespace=default,spec.nodeName=n1', web, true],
    ['pods', 'spec.nodeName=n1,status.phase!=Running', web, false],
    ['pods', 'spec.nodeName=', { spec: {} }, true],
    ['pods', 'status.phase=Running', web, true],
    ['pods', 'status.podIP=10.0.0.1', web, true],
    ['pods', 'spec.hostNetwork=false', web, true],
    ['pods', 'spec.hostNetwork=true', { spec: { hostNetwork: true } }, true],
    ['pods', 'status.nominatedNodeName=', web, true],
    ['pods', String.raw`spec.nodeName=a\,b\=c`, { spec: { nodeName: 'a,b=c' } }, true],
    ['nodes', 'spec.unschedulable=true', { spec: { unschedulable: true } }, true],
    ['nodes', 'spec.unschedulable=false', { spec: {} }, true],
    ['namespaces', 'status.phase=Active', { status: { phase: 'Active' } }, true],
    [
      'events',
      'involvedObject.uid=u,involvedObject.name=web,type=Normal,reason=R',
      { involvedObject: { uid: 'u', name: 'web' }, type: 'Normal', reason: 'R' },
      true,
    ],
    [
      'events',
      'involvedObject.fieldPath=spec.containers{c}',
      { involvedObject: { fieldPath: 'spec.containers{c}' } },
      true,
    ],
    ['events', 'source=kubelet', { source: { component: 'kubelet' } }, true],
    ['events', 'reportingComponent=x', { reportingComponent: 'y' }, false],
    ['leases', 'metadata.name=n1', { metadata: { name: 'n1' } }, true],
  ])('of %s: %s', (plural, selector, object, expected) => {
    expect(selects(plural, selector, object)).toBe(expected)
  })

  it.each([
    ['pods', 'foo=bar', 'field label not supported: foo'],
    ['pods', 'metadata.uid=x', 'field label not supported: metadata.uid'],
    ['events', 'message=x', 'field label not supported: message'],
    ['nodes', 'spec.foo=x', 'field label not supported: spec.foo'],
    [
      'serviceaccounts',
      'spec.x=x',
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['pods', 'spec.nodeName=a=b', 'invalid field selector: unescaped character in value: 61'],
    [
      'pods',
      String.raw`spec.nodeName=a\b`,
      String.raw`invalid field selector: invalid escape sequence: \b`,
    ],
    ['pods', 'x', "invalid selector: 'x'; can't understand 'x'"],
    ['pods', 'spec.nodeName=n,x', "invalid selector: 'spec.nodeName=n,x'; can't understand 'x'"],
    [
      'pods',
      'metadata.name in (a)',
      "invalid selector: 'metadata.name in (a)'; can't understand 'metadata.name in (a)'",
    ],
  ])('of %s is refused: %s', (plural, selector, message) => {
    expect(selects(plural, selector, {})).toBe(message)
  })
})
