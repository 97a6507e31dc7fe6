import { describe, expect, it } from 'vitest'
import type { Container, Pod, ResourceRequirements } from './objects.ts'
import { podQosClass } from './qos.ts'

function pod(
  resources: readonly ResourceRequirements[],
  init: readonly ResourceRequirements[] = [],
): Pod {
  const containers = (list: readonly ResourceRequirements[], prefix: string): Container[] =>
    list.map((entry, index) => ({ name: `${prefix}${index}`, resources: entry }))
  return {
    metadata: { name: 'p', uid: 'u' },
    spec: { containers: containers(resources, 'c'), initContainers: containers(init, 'i') },
  }
}

function both(cpu: string, memory: string): ResourceRequirements {
  return { requests: { cpu, memory }, limits: { cpu, memory } }
}

describe('the QoS class', () => {
  it.each([
    ['without resources', pod([{}]), 'BestEffort'],
    [
      'with zero requests',
      pod([{ requests: { cpu: '0' }, limits: { memory: '0' } }]),
      'BestEffort',
    ],
    ['with only extended resources', pod([{ limits: { 'a.b/c': '1' } }]), 'BestEffort'],
    ['with equal requests and limits', pod([both('1', '1Gi')]), 'Guaranteed'],
    [
      'with equal values written differently',
      pod([{ requests: { cpu: '1000m', memory: '1024Mi' }, limits: { cpu: '1', memory: '1Gi' } }]),
      'Guaranteed',
    ],
    [
      'with limits for cpu only',
      pod([{ requests: { cpu: '1' }, limits: { cpu: '1' } }]),
      'Burstable',
    ],
    [
      'with a request under its limit',
      pod([{ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } }]),
      'Burstable',
    ],
    ['with one container that limits nothing', pod([both('1', '1Gi'), {}]), 'Burstable'],
    ['with an init container that limits nothing', pod([both('1', '1Gi')], [{}]), 'Burstable'],
    [
      'with all containers limited',
      pod([both('1', '1Gi'), both('2', '2Gi')], [both('1', '1Gi')]),
      'Guaranteed',
    ],
    ['with a request only', pod([{ requests: { memory: '1Gi' } }]), 'Burstable'],
  ])('of a pod %s is decided by cpu and memory', (_, given, expected) => {
    expect(podQosClass(given)).toBe(expected)
  })

  it('goes by the resources of the pod where it has its own', () => {
    const given = pod([{}])
    const spec = { ...given.spec, resources: both('1', '1Gi') }
    expect(podQosClass({ ...given, spec })).toBe('Guaranteed')
  })
})
