import { describe, expect, it } from 'vitest'
import type { PodVolumes } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import {
  fakeEnvironment,
  fakeObject,
  fakePodVolumes,
  fakeVariable,
  fakeVolume,
} from './fake-pod-volumes.ts'
import { mendLine } from './mend-line.ts'
import { missingObjects } from './missing-objects.ts'

function linesOf(part: Partial<PodVolumes>): readonly string[] {
  return missingObjects(fakePodVolumes(part)).map((missing) => mendLine(missing, 'shop'))
}

function keyOf(of: 'ConfigMap' | 'Secret', name: string, key: string) {
  return { kind: 'key', of, name, key } as const
}

describe('the line that creates what is missing', () => {
  it('takes the files of a volume by their keys, the values of variables as VALUE, each object once', () => {
    const rules = fakeObject({ state: 'missing', keys: ['rules.yaml'] })
    const volume = fakeVolume({ source: { kind: 'object', object: rules }, state: 'waiting' })
    const variables = [
      fakeVariable({ source: keyOf('ConfigMap', 'rules', 'level'), state: 'objectMissing' }),
      fakeVariable({ source: keyOf('ConfigMap', 'rules', 'rules.yaml'), state: 'objectMissing' }),
      fakeVariable({ source: keyOf('Secret', 'login', 'token'), state: 'objectMissing' }),
      fakeVariable({ source: keyOf('Secret', 'free', 'token'), state: 'absent' }),
    ]
    expect(linesOf({ volumes: [volume], environments: [fakeEnvironment(variables)] })).toEqual([
      'kubectl create configmap rules -n shop --from-file=rules.yaml --from-literal=level=VALUE',
      'kubectl create secret generic login -n shop --from-literal=token=VALUE',
    ])
  })

  it('takes any file where the pod names no key', () => {
    const object = fakeObject({ state: 'missing' })
    expect(linesOf({ volumes: [fakeVolume({ source: { kind: 'object', object } })] })).toEqual([
      'kubectl create configmap rules -n shop --from-file=FILE',
    ])
  })

  it('adds a key to an object that is there', () => {
    const object = fakeObject({ kind: 'Secret', name: 'tls', missingKeys: ['key'] })
    const parts = [{ kind: 'object', object }] as const
    expect(linesOf({ volumes: [fakeVolume({ source: { kind: 'projected', parts } })] })).toEqual([
      `kubectl patch secret tls -n shop --type=merge -p '{"stringData":{"key":"VALUE"}}'`,
    ])
  })

  it('does not ask for what is optional, or for a volume that no container mounts', () => {
    const object = fakeObject({ state: 'missing' })
    const optional = { kind: 'object', object: { ...object, isOptional: true } } as const
    const volumes = [
      fakeVolume({ source: optional }),
      fakeVolume({ source: { kind: 'object', object }, state: 'unused' }),
    ]
    expect(linesOf({ volumes })).toEqual([])
  })

  it('quotes what a shell would read', () => {
    const object = fakeObject({ state: 'missing', keys: ["it's $(rm)"] })
    expect(linesOf({ volumes: [fakeVolume({ source: { kind: 'object', object } })] })).toEqual([
      String.raw`kubectl create configmap rules -n shop --from-file='it'\''s $(rm)'`,
    ])
  })
})
